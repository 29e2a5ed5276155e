//! Dates and times in the form that JUnit uses, in UTC: `2026-11-15T10:20:30Z`.

use std::fmt;

/// A date and a time of day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub year: u64,
    pub month: u64,
    pub day: u64,
    pub hour: u64,
    pub minute: u64,
    pub second: u64,
}

impl Moment {
    /// From seconds since 1970.
    pub fn at(seconds: u64) -> Moment {
        // Days are counted from 1 March of year 0, so that a leap day is the last day of its year.
        let day = seconds / 86_400 + 719_468;
        let (era, of_era) = (day / 146_097, day % 146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
        Moment {
            year: era * 400 + year_of_era + u64::from(month <= 2),
            month,
            day: of_year - (153 * from_march + 2) / 5 + 1,
            hour: seconds / 3_600 % 24,
            minute: seconds / 60 % 60,
            second: seconds % 60,
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Moment { year, month, day, hour, minute, second } = self;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

/// Seconds since 1970 as a date and a time.
pub(crate) fn date(seconds: u64) -> String {
    Moment::at(seconds).to_string()
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_right_around_leap_days_and_new_years() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_709_251_200), "2024-03-01T00:00:00Z");
        assert_eq!(date(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(date(1_794_736_059), "2026-11-15T09:47:39Z");
    }
}
