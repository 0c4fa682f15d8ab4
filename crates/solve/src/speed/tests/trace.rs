//! Sums over many profiles. A rule that is lost in a pass can leave a profile that breaks no
//! relation, but is slower.

use super::{COURSES, POINTS, curvature, grip, grounds, steps, turning, vehicles};
use crate::speed::{Course, FixedLine, TurningCost};

/// Lap times in s, and sums of the speeds in m/s, of all kinds of lines: level, with costs of
/// turning, in three dimensions, and those with the costs of turning.
#[test]
fn lap_times_and_speeds_are_what_they_were() {
    let (curvature, steps, grip, grounds) = (curvature(), steps(), grip(), grounds());
    let mut found = Vec::new();
    for vehicle in vehicles().into_iter().map(turning) {
        let mut row = [0.0; 8];
        for (kind, (cost, spatial)) in [
            (TurningCost::Free, false),
            (TurningCost::ByVehicle, false),
            (TurningCost::Free, true),
            (TurningCost::ByVehicle, true),
        ]
        .into_iter()
        .enumerate()
        {
            for (number, course) in COURSES.into_iter().enumerate() {
                let line = FixedLine {
                    curvature: &curvature,
                    step_lengths: if course == Course::Closed { &steps } else { &steps[..POINTS - 1] },
                    course,
                    grip: (number % 2 == 1).then_some(&grip[..]),
                    turning: cost,
                    grounds: spatial.then_some(&grounds[..]),
                    caps: None,
                };
                let profile = line.profile(&vehicle).unwrap();
                row[2 * kind] += profile.lap_time_s;
                row[2 * kind + 1] += profile.speed_mps.iter().sum::<f64>();
            }
        }
        found.push(row);
    }
    let differs = |(row, expected): (&[f64; 8], &[f64; 8])| {
        row.iter().zip(expected).any(|(value, expected)| (value / expected - 1.0).abs() > 1e-9)
    };
    if found.len() != EXPECTED.len() || found.iter().zip(&EXPECTED).any(differs) {
        let rows: String = found.iter().map(|row| format!("    {row:.9?},\n")).collect();
        panic!("now:\n{rows}");
    }
}

/// A row for each vehicle.
const EXPECTED: [[f64; 8]; 11] = [
    [
        119.627_891_456,
        11_030.263_785_425,
        122.665_039_940,
        10_745.943_028_543,
        120.431_635_853,
        11_024.743_530_157,
        123.514_661_819,
        10_735.279_526_274,
    ],
    [
        129.562_674_582,
        10_074.874_675_932,
        132.643_988_348,
        9_815.879_830_243,
        130.646_557_466,
        10_063.873_547_771,
        133.768_260_936,
        9_804.005_117_536,
    ],
    [
        122.815_215_315,
        10_709.002_191_729,
        125.826_176_956,
        10_436.361_455_722,
        123.686_780_256,
        10_702.636_251_548,
        126.727_772_961,
        10_428.176_747_344,
    ],
    [
        116.827_039_886,
        11_328.517_379_784,
        119.957_183_628,
        11_026.287_946_425,
        117.577_823_864,
        11_323.689_877_505,
        120.792_310_311,
        11_011.050_753_635,
    ],
    [
        121.837_221_357,
        10_802.468_721_836,
        124.902_101_396,
        10_533.077_380_331,
        122.744_382_977,
        10_792.532_845_023,
        125.864_443_654,
        10_517.165_973_447,
    ],
    [
        119.894_925_589,
        11_007.200_780_119,
        122.940_532_796,
        10_723.181_528_267,
        120.702_669_057,
        11_001.461_481_918,
        123.793_976_240,
        10_712.322_785_219,
    ],
    [
        128.628_770_747,
        10_127.609_996_344,
        131.575_837_200,
        9_882.139_856_108,
        129.768_474_907,
        10_101.344_253_193,
        132.737_185_274,
        9_856.269_955_169,
    ],
    [
        120.501_485_609,
        10_893.007_909_061,
        123.469_967_235,
        10_620.668_449_916,
        121.339_295_597,
        10_881.510_909_983,
        124.343_394_240,
        10_606.486_042_933,
    ],
    [
        119.253_712_602,
        11_085.363_507_085,
        122.356_967_775,
        10_790.553_520_326,
        119.988_145_810,
        11_087.732_082_269,
        123.087_503_199,
        10_794.243_336_461,
    ],
    [
        131.656_563_905,
        9_919.697_403_690,
        134.810_942_827,
        9_668.328_321_222,
        132.866_883_718,
        9_905.757_521_110,
        136.046_635_392,
        9_655.716_426_316,
    ],
    [
        125.893_333_121,
        10_425.724_848_965,
        128.947_479_664,
        10_168.169_142_122,
        126.909_675_477,
        10_414.084_258_950,
        129.999_110_462,
        10_154.709_726_224,
    ],
];
