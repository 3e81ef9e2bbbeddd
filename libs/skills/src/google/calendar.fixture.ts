/* From Google's published Apps Script reference, as of 2026-11: Calendar service (CalendarApp,
 * Calendar, CalendarEvent, EventGuest). */

interface StandInEvent {
  id: string;
  title: string;
  start: Date;
  end: Date;
  isAllDay: boolean;
  location: string;
  description: string;
  guests: string[];
  isRecurring: boolean;
}
type Options = { guests?: string; location?: string; description?: string; sendInvites?: boolean };

/** A default calendar for the script's `CalendarApp`. */
export class CalendarStandIn {
  events: StandInEvent[] = [];
  readonly invited: string[] = [];

  add(more: Partial<StandInEvent>): StandInEvent {
    const made: StandInEvent = {
      id: `e${this.events.length}@google.com`,
      title: "",
      start: new Date(0),
      end: new Date(0),
      isAllDay: false,
      location: "",
      description: "",
      guests: [],
      isRecurring: false,
      ...more,
    };
    this.events.push(made);
    return made;
  }

  private create(title: string, start: Date, end: Date, isAllDay: boolean, options: Options) {
    const guests = options.guests?.split(",") ?? [];
    if (options.sendInvites) this.invited.push(...guests);
    const { location = "", description = "" } = options;
    return this.wrap(this.add({ title, start, end, isAllDay, guests, location, description }));
  }

  private wrap(event: StandInEvent) {
    const set = (more: Partial<StandInEvent>): void => void Object.assign(event, more);
    return {
      getId: () => event.id,
      getTitle: () => event.title,
      isAllDayEvent: () => event.isAllDay,
      getStartTime: () => event.start,
      getEndTime: () => event.end,
      getAllDayStartDate: () => event.start,
      getAllDayEndDate: () => event.end,
      getLocation: () => event.location,
      getDescription: () => event.description,
      getGuestList: () =>
        event.guests.map((address) => ({
          getEmail: () => address,
          getGuestStatus: () => ({ toString: () => "INVITED" }),
        })),
      isRecurringEvent: () => event.isRecurring,
      setTitle: (title: string) => set({ title }),
      setLocation: (location: string) => set({ location }),
      setDescription: (description: string) => set({ description }),
      setTime: (start: Date, end: Date) => set({ start, end, isAllDay: false }),
      setAllDayDates: (start: Date, end: Date) => set({ start, end, isAllDay: true }),
      addGuest: (address: string) => event.guests.push(address),
      removeGuest: (address: string) =>
        set({ guests: event.guests.filter((each) => each !== address) }),
    };
  }

  private readonly calendar = {
    getTimeZone: () => "Europe/Berlin",
    getEvents: (start: Date, end: Date, { max, search }: { max: number; search?: string }) =>
      this.events
        .filter((event) => event.start < end && event.end > start)
        .filter((event) => event.title.includes(search ?? ""))
        .slice(0, max)
        .map((event) => this.wrap(event)),
    getEventById: (id: string) => {
      const event = this.events.find((each) => each.id === id);
      return event === undefined ? null : this.wrap(event);
    },
    createEvent: (title: string, start: Date, end: Date, options: Options) =>
      this.create(title, start, end, false, options),
    createAllDayEvent: (title: string, start: Date, end: Date, options: Options) =>
      this.create(title, start, end, true, options),
  };

  readonly app = { getDefaultCalendar: () => this.calendar };
}
