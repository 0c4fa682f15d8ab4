//! Which regions of a picture lie directly inside which other regions.

use super::islands;
use super::regions::Regions;

/// The regions that each region surrounds.
pub(super) struct Children {
    /// `members[starts[i]..starts[i + 1]]` are region i's children.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Children {
    /// The children of every region.
    pub(super) fn of(regions: &Regions) -> Self {
        let mut starts = vec![0_u32; regions.list.len() + 1];
        for parent in regions.list.iter().filter_map(|region| region.parent) {
            starts[parent as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts.last().map_or(0, |&n| n as usize)];
        for (index, region) in regions.list.iter().enumerate() {
            if let Some(parent) = region.parent {
                members[next[parent as usize] as usize] = index as u32;
                next[parent as usize] += 1;
            }
        }
        Self { starts, members }
    }

    /// The children of the region `index`.
    fn of_region(&self, index: u32) -> &[u32] {
        &self.members[self.starts[index as usize] as usize..self.starts[index as usize + 1] as usize]
    }

    /// The child with the largest filled area.
    pub(super) fn largest(&self, regions: &Regions, index: u32) -> Option<u32> {
        let area = |child: u32| regions.list[child as usize].filled_area;
        self.of_region(index).iter().copied().max_by_key(|&child| (area(child), std::cmp::Reverse(child)))
    }

    /// The children large enough for a road of the region's width to enclose them, the largest
    /// first.
    pub(super) fn large(&self, regions: &Regions, index: u32) -> Vec<u32> {
        let region = &regions.list[index as usize];
        let area = |child: u32| regions.list[child as usize].filled_area;
        let Some(largest) = self.of_region(index).iter().map(|&child| area(child)).max() else { return Vec::new() };
        let min = islands::min_area(region.mean_width(), largest as f64, region.filled_slenderness());
        let mut large: Vec<u32> =
            self.of_region(index).iter().copied().filter(|&child| area(child) as f64 >= min).collect();
        large.sort_by_key(|&child| (std::cmp::Reverse(area(child)), child));
        large
    }
}
