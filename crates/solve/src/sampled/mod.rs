//! Look-ahead random lines: at each place of the lap many random lines ahead are drawn, the best of
//! them is begun, and the next place follows.
//!
//! 1. The lap is divided into steps of three mean widths of the road. The line is a uniform cubic
//!    B-spline of offsets, one at each step, so that it bends without kinks and stays between the
//!    offsets. On a step between the second and the third of four offsets a, b, c and d, with t
//!    from 0 to 1 (de Boor, *A Practical Guide to Splines*, chapter IX),
//!
//!    ```text
//!    u = ((1-t)³ a + (3 t³ - 6 t² + 4) b + (1 + 3 t + 3 t² - 3 t³) c + t³ d) / 6             (1)
//!    ```
//!
//! 2. From each place, `sampled_lines` lines of eight steps are drawn. An offset u, 0 at the
//!    corridor's right bound and 1 at its left, has a linear density f with the distribution F.
//!    With k₁ the curvature of the road at the step and k₂ that of the step ahead,
//!
//!    ```text
//!    m = clamp(-(k₂ - k₁) / max |k|, -1, 1)                                                  (2)
//!    f(u) = 1 + m (2 u - 1)      F(u) = (1 - m) u + m u²                                     (3)
//!    ```
//!
//!    so where a left bend begins the line is rather drawn on the right, where it ends rather on
//!    the left. From one step to the next no offset leaves a cone of 15° about the road's
//!    direction. With d the length of the step and W the width of the road,
//!
//!    ```text
//!    |α_{i+1} - α_i| ≤ tan(15°) d / W                                                        (4)
//!    ```
//!
//! 3. The ten lines with the smallest J are kept, and the fastest of these wins, with the time T at
//!    the speeds v of the vehicle. Its first step becomes part of the line.
//!
//!    ```text
//!    J = ∫ √|κ| ds      T = ∫ ds / v                                                         (5)
//!    ```
//!
//! J is what T would be if all speeds were at the limit of lateral grip, `v ∝ 1/√|κ|`, and costs no
//! speed profile. The method was made for raceline and follows no publication.
//!
//! The lap begins some steps before its first place, so that its beginning follows from a line that
//! has been chosen too; the end is drawn towards the beginning. With more lines the result is
//! better, but takes longer; any number gives a whole line. Each line has its own random stream,
//! numbered by place and line.

mod ahead;
mod drawn_line;
mod offsets;

pub(crate) use drawn_line::{POINTS_AHEAD, STEP_WIDTHS};
pub use drawn_line::{Sampled, sampled};
