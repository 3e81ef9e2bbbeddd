/**
 * Carrel's access to the Google calendar of whoever deploys this script. Set it up as described in
 * docs/agents/google.md: run createKey once, then deploy it as a web app that runs as you.
 *
 * Requests are POSTs of JSON: { key, version, action, ...fields }. Replies are JSON:
 * { version, ok: true, result } or { version, ok: false, error: { code, message } }.
 */
const VERSION = 1;
const LIMITS = { events: 100, days: 400, guests: 50, request: 100000, text: 8000 };

/** Run this once in the editor: it makes the key and shows it in the execution log. */
function createKey() {
  const key = (Utilities.getUuid() + Utilities.getUuid()).replace(/-/g, "");
  PropertiesService.getScriptProperties().setProperty("API_KEY", key);
  console.log("API key: " + key);
}

function doPost(event) {
  try {
    const contents = event.postData.contents;
    if (contents.length > LIMITS.request) return reply_({ code: "request", message: "too long" });
    const request = JSON.parse(contents);
    if (!isKey_(request.key)) return reply_({ code: "key", message: "The API key is wrong." });
    if (request.version !== VERSION)
      return reply_({ code: "version", message: "Another version." });
    const action = Object.prototype.hasOwnProperty.call(ACTIONS, request.action)
      ? ACTIONS[request.action]
      : null;
    if (action === null) return reply_({ code: "request", message: "Unknown action." });
    return reply_(null, action(request));
  } catch (fault) {
    return reply_(describe_(fault));
  }
}

function doGet() {
  return reply_({ code: "request", message: "Only POST is answered." });
}

function reply_(error, result) {
  const body = error
    ? { version: VERSION, ok: false, error: error }
    : { version: VERSION, ok: true, result: result };
  return ContentService.createTextOutput(JSON.stringify(body)).setMimeType(
    ContentService.MimeType.JSON,
  );
}

/** Compares digests byte by byte to the end, so that the time tells nothing about the key. */
function isKey_(given) {
  const key = PropertiesService.getScriptProperties().getProperty("API_KEY");
  if (!key || key.length < 32 || typeof given !== "string") return false;
  const digest = (text) => Utilities.computeDigest(Utilities.DigestAlgorithm.SHA_256, text);
  const a = digest(key);
  const b = digest(given);
  let difference = 0;
  for (let n = 0; n < a.length; n++) difference |= a[n] ^ b[n];
  return difference === 0;
}

function describe_(fault) {
  const message = String((fault && fault.message) || fault).slice(0, 300);
  if (fault && fault.code) return { code: fault.code, message: message };
  if (/too many|quota|limit exceeded/i.test(message)) return { code: "quota", message: message };
  if (/permission|authorization/i.test(message)) return { code: "permission", message: message };
  return { code: "failed", message: message };
}

function fault_(code, message) {
  const fault = new Error(message);
  fault.code = code;
  return fault;
}

function text_(value, name, most) {
  if (typeof value !== "string" || value.length > most)
    throw fault_("request", name + " is invalid");
  return value;
}

/** A local time of the calendar: YYYY-MM-DD or YYYY-MM-DDTHH:MM. */
function time_(calendar, value, name) {
  const text = text_(value, name, 16);
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$/.test(text))
    throw fault_("request", name + " is invalid");
  const full = text.length === 10 ? text + "T00:00" : text;
  return Utilities.parseDate(full, calendar.getTimeZone(), "yyyy-MM-dd'T'HH:mm");
}

/** A day as CalendarApp takes it: in the time zone of the script. */
function day_(value, name) {
  const text = text_(value, name, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw fault_("request", name + " is invalid");
  return Utilities.parseDate(text + "T00:00", Session.getScriptTimeZone(), "yyyy-MM-dd'T'HH:mm");
}

function guests_(list) {
  if (!Array.isArray(list) || list.length > LIMITS.guests)
    throw fault_("request", "guests is invalid");
  list.forEach((address) => {
    if (typeof address !== "string" || !/^[^\s@,;<>"]+@[^\s@,;<>"]+$/.test(address))
      throw fault_("request", "guests has an invalid address");
  });
  return list;
}

function write_(calendar, event) {
  const zone = calendar.getTimeZone();
  const isAllDay = event.isAllDayEvent();
  const day = (date) => Utilities.formatDate(date, Session.getScriptTimeZone(), "yyyy-MM-dd");
  const time = (date) => Utilities.formatDate(date, zone, "yyyy-MM-dd'T'HH:mm");
  return {
    id: event.getId(),
    title: event.getTitle(),
    isAllDay: isAllDay,
    start: isAllDay ? day(event.getAllDayStartDate()) : time(event.getStartTime()),
    // The day after the last one.
    end: isAllDay ? day(event.getAllDayEndDate()) : time(event.getEndTime()),
    location: event.getLocation(),
    description: event.getDescription().slice(0, LIMITS.text),
    guests: event
      .getGuestList()
      .slice(0, LIMITS.guests)
      .map((guest) => ({ address: guest.getEmail(), status: String(guest.getGuestStatus()) })),
    isRecurring: event.isRecurringEvent(),
  };
}

function order_(start, end) {
  if (end.getTime() <= start.getTime()) throw fault_("request", "The end must be after the start.");
}

const ACTIONS = {
  list: (request) => {
    const calendar = CalendarApp.getDefaultCalendar();
    const start = time_(calendar, request.start, "start");
    const end = time_(calendar, request.end, "end");
    order_(start, end);
    if (end.getTime() - start.getTime() > LIMITS.days * 86400000)
      throw fault_("request", "At most " + LIMITS.days + " days can be listed.");
    const options = { max: LIMITS.events + 1 };
    if (request.query) options.search = text_(request.query, "query", 200);
    const events = calendar.getEvents(start, end, options);
    return {
      timeZone: calendar.getTimeZone(),
      events: events.slice(0, LIMITS.events).map((event) => write_(calendar, event)),
      hasMore: events.length > LIMITS.events,
    };
  },
  create: (request) => {
    const calendar = CalendarApp.getDefaultCalendar();
    const options = {};
    if (request.location) options.location = text_(request.location, "location", 500);
    if (request.description)
      options.description = text_(request.description, "description", LIMITS.text);
    if (request.guests && request.guests.length > 0) {
      options.guests = guests_(request.guests).join(",");
      options.sendInvites = true;
    }
    const title = text_(request.title, "title", 250);
    if (request.isAllDay) {
      const start = day_(request.start, "start");
      const end = day_(request.end, "end");
      order_(start, end);
      return write_(calendar, calendar.createAllDayEvent(title, start, end, options));
    }
    const start = time_(calendar, request.start, "start");
    const end = time_(calendar, request.end, "end");
    order_(start, end);
    return write_(calendar, calendar.createEvent(title, start, end, options));
  },
  update: (request) => {
    const calendar = CalendarApp.getDefaultCalendar();
    const event = calendar.getEventById(text_(request.id, "id", 300));
    if (!event) throw fault_("missing", "There is no such event.");
    // The title is what was shown to whoever approved the change.
    if (event.getTitle() !== request.currentTitle)
      throw fault_("request", "The event's title is " + event.getTitle() + ".");
    // The ID is that of all its repetitions.
    if (event.isRecurringEvent()) throw fault_("request", "Recurring events can't be changed.");
    const added = request.addGuests ? guests_(request.addGuests) : [];
    const removed = request.removeGuests ? guests_(request.removeGuests) : [];
    if (request.start) {
      const read = (value, name) =>
        request.isAllDay ? day_(value, name) : time_(calendar, value, name);
      const start = read(request.start, "start");
      const end = read(request.end, "end");
      order_(start, end);
      if (request.isAllDay) event.setAllDayDates(start, end);
      else event.setTime(start, end);
    }
    if (typeof request.title === "string") event.setTitle(text_(request.title, "title", 250));
    if (typeof request.location === "string")
      event.setLocation(text_(request.location, "location", 500));
    if (typeof request.description === "string")
      event.setDescription(text_(request.description, "description", LIMITS.text));
    added.forEach((address) => event.addGuest(address));
    removed.forEach((address) => event.removeGuest(address));
    return write_(calendar, event);
  },
};
