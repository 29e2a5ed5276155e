//! Whether a folder is on a file system that several machines see.
//!
//! SQLite's write-ahead log needs memory that all its readers share, which two machines do not. So on a network file system
//! the database keeps a rollback journal instead, which needs only locks that work there. In: a path. Out: yes or no, by
//! the numbers that Linux gives to file systems; what is not in the table is taken for local.

use std::path::Path;

/// Network and cluster file systems, by the magic number of statfs(2).
const NETWORK: &[(u64, &str)] = &[
    (0x6969, "nfs"),
    (0xff53_4d42, "cifs"),
    (0xfe53_4d42, "smb2"),
    (0x517b, "smb"),
    (0x0bd0_0bd0, "lustre"),
    (0x4750_4653, "gpfs"),
    (0x1983_0326, "beegfs"),
    (0x00c3_6400, "ceph"),
    (0x0116_1970, "gfs2"),
    (0x7461_636f, "ocfs2"),
    (0xaad7_aaea, "panfs"),
    (0x5346_414f, "afs"),
    (0x0102_1997, "9p"),
    (0x2030_528d, "orangefs"),
    (0x6573_5546, "fuse"),
];

fn named(magic: u64) -> Option<&'static str> {
    NETWORK.iter().find(|(number, _)| *number == magic).map(|(_, name)| *name)
}

/// The name of the network file system that holds a path, if it is on one.
pub(crate) fn network(path: &Path) -> Option<&'static str> {
    let found = rustix::fs::statfs(path).ok()?;
    // The type of the field differs between platforms, and some numbers are negative there.
    named(found.f_type as u64 & 0xffff_ffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_file_systems_are_known_by_their_numbers_and_a_local_folder_is_none() {
        assert_eq!((named(0x6969), named(0x0bd0_0bd0), named(0xef53)), (Some("nfs"), Some("lustre"), None));
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).expect("a folder");
        assert_eq!(network(dir.path()), None);
    }
}
