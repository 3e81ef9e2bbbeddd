/** As it is in the address: its values may have any type. */
export interface SchedulesSearch {
  edit?: boolean;
  /** Slug: of the listed schedules, or where a new one is. */
  workspace?: string;
  /** What a new one starts from. */
  example?: string;
  /** The schedule that a new one is a copy of. */
  from?: string;
  /** The run that is open. */
  run?: string;
}
