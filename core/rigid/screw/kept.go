package screw

import "sync"

// Limits of what a body keeps of its images, in trees and in nodes. The last tree is kept in any
// case.
const (
	mostKeptTrees = 8
	mostKeptNodes = 1 << 18
)

// Kept are the images that a body keeps, those that were used last. Images depend on the body, the
// axis and the level alone, so what is kept changes the time of a call and nothing else. The zero
// value keeps none yet.
type Kept struct {
	mutex sync.Mutex
	list  []*keptTree // those used last are first
}

type keptTree struct {
	frame Axis
	level int
	once  sync.Once
	tree  *Images
	nodes int // the number of nodes, 0 until the tree is built
}

// ImagesOf returns the images of a body along an axis, at a level of detail in [0, Levels). Threads
// that want the same ones wait for the first of them to draw these.
func ImagesOf(b Body, axis Axis, level int) *Images {
	all := b.Kept()
	k := all.find(axis, level)
	k.once.Do(func() { k.tree = newImages(b, axis, level) })
	all.built(k)
	return k.tree
}

// find returns the place of a tree, and moves it to the front.
func (p *Kept) find(frame Axis, level int) *keptTree {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, k := range p.list {
		if k.frame == frame && k.level == level {
			copy(p.list[1:], p.list[:i])
			p.list[0] = k
			return k
		}
	}
	k := &keptTree{frame: frame, level: level}
	p.list = append([]*keptTree{k}, p.list[:min(len(p.list), mostKeptTrees-1)]...)
	return k
}

// built counts the nodes of a tree, and drops the trees for which there is no room.
func (p *Kept) built(k *keptTree) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if k.nodes > 0 {
		return
	}
	k.nodes = len(k.tree.nodes)
	sum := 0
	for i, k := range p.list {
		if sum += k.nodes; sum > mostKeptNodes && i > 0 {
			clear(p.list[i:])
			p.list = p.list[:i]
			return
		}
	}
}
