# Homebrew formula: brew install --HEAD ./packaging/later/homebrew/ccd-toi.rb
#
# No release is published yet, so there is no `url` with a `sha256`: the formula builds the head of a clone, whose address CCD_GIT gives.
class CcdToi < Formula
  desc "Continuous collision detection with proof: the time of impact of moving meshes"
  homepage ENV.fetch("CCD_GIT", "https://localhost/libccd")
  license "MIT"
  head ENV.fetch("CCD_GIT", "https://localhost/libccd.git"), branch: "main"

  depends_on "cmake" => :build
  depends_on "go" => :build

  def install
    args = %w[-DCCD_BUILD_TESTS=OFF -DCCD_STATIC=ON -DCCD_MAN=ON]
    system "cmake", "-S", ".", "-B", "build", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"main.c").write <<~C
      #include <ccd.h>
      int main(void) { return ccd_version() == CCD_VERSION ? 0 : 1; }
    C
    system ENV.cc, "main.c", "-I#{include}", "-L#{lib}", "-lccd-toi", "-Wl,-rpath,#{lib}", "-o", "main"
    system "./main"
  end
end
