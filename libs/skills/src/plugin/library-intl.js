// Runs inside the sandbox: numbers, dates and lists as people write them, which the engine can't.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ call }) => {
  const ask = (...given) => JSON.parse(call("intl", JSON.stringify(given)));
  function millisecondsOf(date) {
    const given = date === undefined ? Date.now() : Number(date);
    if (Number.isNaN(given)) throw new RangeError("Invalid time value");
    return given;
  }

  function make(kind, methods) {
    class Formatter {
      #given;
      constructor(locales = null, options = null) {
        this.#given = [locales, options];
        ask(kind, "resolvedOptions", ...this.#given);
      }
      resolvedOptions() {
        return ask(kind, "resolvedOptions", ...this.#given);
      }
      static {
        for (const [name, toGiven] of Object.entries(methods))
          // Some pass `format` on as a function.
          Object.defineProperty(this.prototype, name, {
            get() {
              return (...values) => ask(kind, name, ...this.#given, ...toGiven(...values));
            },
          });
      }
    }
    // Existing code calls some without `new`.
    function Callable(...given) {
      return new Formatter(...given);
    }
    Callable.prototype = Formatter.prototype;
    Callable.supportedLocalesOf = (locales) => [locales].flat();
    return Callable;
  }
  const asNumber = (value) => [String(value)];
  const asDate = (date) => [millisecondsOf(date)];
  const formats = Object.freeze({
    NumberFormat: make("NumberFormat", { format: asNumber, formatToParts: asNumber }),
    DateTimeFormat: make("DateTimeFormat", { format: asDate, formatToParts: asDate }),
    RelativeTimeFormat: make("RelativeTimeFormat", {
      format: (value, unit) => [Number(value), String(unit)],
    }),
    PluralRules: make("PluralRules", { select: (value) => [Number(value)] }),
    ListFormat: make("ListFormat", { format: (list) => [[...list].map(String)] }),
  });

  const { defineProperty } = Object;
  const define = (prototype, name, value) =>
    defineProperty(prototype, name, { value, configurable: true, writable: true });
  define(Number.prototype, "toLocaleString", function toLocaleString(locales, options) {
    return new formats.NumberFormat(locales, options).format(this);
  });
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    define(Date.prototype, name, function write(locales = null, options = null) {
      const given = Number(this);
      return Number.isNaN(given) ? "Invalid Date" : ask("Date", name, locales, options, given);
    });
  return { Intl: formats };
};
