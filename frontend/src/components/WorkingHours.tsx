/** The opening hours of a weekday, or of the lunch break; empty times do not restrict. */
export interface ScheduleRow {
  weekday: string;
  weekdayEn: string;
  /** 'HH:MM' or ''. */
  startTime: string;
  endTime: string;
}
