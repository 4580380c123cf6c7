package urdf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ccd/core/meshfile"
	"ccd/core/status"
)

// meshes finds and reads the meshes of a URDF file.
type meshes struct {
	folder  string // The folder of the file.
	options Options
	known   map[string]*meshfile.Surface
}

func newMeshes(path string, o Options) *meshes {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	if whole, err := filepath.Abs(path); err == nil {
		path = whole
	}
	return &meshes{folder: filepath.Dir(path), options: o, known: map[string]*meshfile.Surface{}}
}

// read reads a mesh by its name in the URDF file.
func (m *meshes) read(name string) (*meshfile.Surface, error) {
	path, err := m.path(name)
	if err != nil {
		return nil, err
	}
	if s := m.known[path]; s != nil {
		return s, nil
	}
	if strings.EqualFold(filepath.Ext(path), ".dae") {
		return nil, status.Errorf(status.ErrUnsupported, "%s is a COLLADA file, which Python's ccd.robot.read reads: "+
			"export it as OBJ, PLY or STL, as Blender or trimesh do", path)
	}
	s, err := meshfile.Read(path)
	if err != nil {
		return nil, err
	}
	for i, x := range s.Vertices {
		if !finite(x) {
			return nil, errorf("%s: vertex %d: a coordinate is %g: not finite or above 1e150 in magnitude", path, i/3,
				x)
		}
	}
	m.known[path] = s
	return s, nil
}

// path returns where a mesh is.
func (m *meshes) path(name string) (string, error) {
	rest, packaged := strings.CutPrefix(name, "package://")
	if !packaged {
		rest, packaged = strings.CutPrefix(name, "model://") // Gazebo names packages by it.
	}
	if !packaged {
		name = filepath.FromSlash(strings.TrimPrefix(name, "file://"))
		if filepath.IsAbs(name) {
			return name, nil
		}
		return filepath.Join(m.folder, name), nil
	}
	pack, within, _ := strings.Cut(rest, "/")
	tried, err := m.folders(pack)
	if err != nil {
		return "", err
	}
	for _, folder := range tried {
		at := filepath.Join(folder, filepath.FromSlash(within))
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			return at, nil
		}
	}
	return "", errorf("%s is in none of %s: give packages, the folder in which %s is", quoted(name),
		strings.Join(tried, ", "), quoted(pack))
}

// folders returns the folders that may be that of a package.
func (m *meshes) folders(pack string) ([]string, error) {
	if folder, there := m.options.Packages[pack]; there {
		return []string{folder}, nil
	}
	tops := m.options.Folders
	if len(tops) == 0 {
		if len(m.options.Packages) > 0 {
			var names []string
			for name := range m.options.Packages {
				names = append(names, name)
			}
			slices.Sort(names)
			return nil, status.Errorf(status.ErrArgument, "packages has no %s: it has %s", quoted(pack), listed(names))
		}
		for top := m.folder; ; top = filepath.Dir(top) {
			tops = append(tops, top)
			if top == filepath.Dir(top) {
				break
			}
		}
	}
	var found []string
	for _, top := range tops {
		if filepath.Base(top) == pack {
			found = append(found, top)
		}
		found = append(found, filepath.Join(top, pack))
	}
	return found, nil
}
