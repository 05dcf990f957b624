//! Names the kernels (implementations of the solver's inner loops), and chooses a kernel at run time.

use core::fmt;
use core::str::FromStr;

/// Implementation (kernel) of the inner loops that solve all positions of a rule set.
///
/// ```
/// use overmate_solver::Kernel;
/// assert_eq!("portable".parse(), Ok(Kernel::Portable));
/// assert!(Kernel::fastest().is_supported());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kernel {
    /// Solver kernel with AVX-512 VBMI2 instructions, which computes 64 positions at once.
    Avx512,
    /// Solver kernel with AVX2 instructions, which computes 32 positions at once.
    Avx2,
    /// Solver kernel for any processor, without vector instructions, which computes one position at a time.
    Portable,
}

impl Kernel {
    /// All kernels (implementations of the inner loops), the fastest first.
    pub const ALL: [Self; 3] = [Self::Avx512, Self::Avx2, Self::Portable];

    /// Returns the fastest solver kernel that the current processor supports.
    #[must_use]
    pub fn fastest() -> Self {
        Self::ALL.into_iter().find(|kernel| kernel.is_supported()).unwrap_or(Self::Portable)
    }

    /// Returns whether the current processor has the instructions that the solver kernel uses.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512vbmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx512 | Self::Avx2 => false,
            Self::Portable => true,
        }
    }

    /// Returns the solver kernel's name as used on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Portable => "portable",
        }
    }
}

impl Default for Kernel {
    /// Returns the fastest solver kernel that the current processor supports.
    fn default() -> Self {
        Self::fastest()
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parse error: the string is not the name of a solver kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKernel(String);

impl fmt::Display for UnknownKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no kernel `{}`: use avx512, avx2 or portable", self.0)
    }
}

impl core::error::Error for UnknownKernel {}

impl FromStr for Kernel {
    type Err = UnknownKernel;

    fn from_str(name: &str) -> Result<Self, UnknownKernel> {
        let found = Self::ALL.into_iter().find(|kernel| kernel.name() == name);
        found.ok_or_else(|| UnknownKernel(name.to_owned()))
    }
}
