// Runs inside the sandbox, before a program: numbers, exact decimals, dates, random numbers.
(() => {
  const define = (functions) => {
    // Configurable, so that a program may declare a variable of the same name.
    for (const name of Object.keys(functions))
      Object.defineProperty(globalThis, name, {
        value: functions[name],
        writable: true,
        configurable: true,
      });
  };

  const powers = [1n];
  const powerOfTen = (n) => {
    while (powers.length <= n) powers.push(powers[powers.length - 1] * 10n);
    return powers[n];
  };

  const spaces = /[\s\u00a0\u202f']/g;
  /**
   * Whether the texts write decimals with a comma or a point. A text like 1.234 could be either, so
   * a whole column decides.
   */
  function decimalMark(texts) {
    let mark = null;
    for (const text of texts) {
      if (typeof text !== "string") continue;
      const bare = text.replace(spaces, "");
      const comma = bare.lastIndexOf(",");
      const point = bare.lastIndexOf(".");
      if (comma >= 0 && point >= 0) return comma > point ? "," : ".";
      const only = comma >= 0 ? "," : point >= 0 ? "." : null;
      if (only === null) continue;
      const other = only === "," ? "." : ",";
      if (bare.indexOf(only) !== bare.lastIndexOf(only)) return other;
      const digits = (/\d*/.exec(bare.slice(bare.indexOf(only) + 1)) ?? [""])[0].length;
      if (digits !== 3) return only;
      mark = "."; // 1,234 counts as thousands and 1.234 as a decimal, as in English
    }
    return mark ?? ".";
  }

  const plainNumber = /^-?\d+(?:\.(\d+))?$/;
  /** Digits and scale of a number as people write it; null if it is none. */
  function readDigits(text, mark) {
    const plain = mark === "." ? plainNumber.exec(text) : null;
    if (plain !== null)
      return plain[1] === undefined
        ? { units: BigInt(text), scale: 0 }
        : { units: BigInt(text.replace(".", "")), scale: plain[1].length };
    let bare = text.replace(spaces, "");
    let isNegative = false;
    if (/^\(.*\)$/.test(bare)) {
      isNegative = true;
      bare = bare.slice(1, -1);
    }
    const isPercent = bare.endsWith("%");
    bare = bare
      .replace(/^([+\-\u2212]?)(?:[$€£¥]|[A-Z]{3})/, "$1")
      .replace(/(?:[$€£¥%]|[A-Z]{3})$/, "");
    if (mark === ",") bare = bare.replace(/\./g, "").replace(",", ".");
    else bare = bare.replace(/,/g, "");
    const found = /^([+\-\u2212]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(bare);
    if (found === null || (found[2] === "" && (found[3] ?? "") === "")) return null;
    if (found[1] === "-" || found[1] === "\u2212") isNegative = !isNegative;
    const fraction = found[3] ?? "";
    let units = BigInt(found[2] + fraction);
    let scale = fraction.length - Number(found[4] ?? 0) + (isPercent ? 2 : 0);
    if (scale < 0) {
      units *= powerOfTen(-scale);
      scale = 0;
    }
    return { units: isNegative ? -units : units, scale };
  }

  /** A decimal number of any length: `units` divided by ten to the power of `scale`. */
  class Decimal {
    constructor(units, scale) {
      this.units = units;
      this.scale = scale;
      Object.freeze(this);
    }
    plus(other) {
      const b = decimal(other);
      const scale = Math.max(this.scale, b.scale);
      return new Decimal(
        this.units * powerOfTen(scale - this.scale) + b.units * powerOfTen(scale - b.scale),
        scale,
      );
    }
    minus(other) {
      const b = decimal(other);
      return this.plus(new Decimal(-b.units, b.scale));
    }
    times(other) {
      const b = decimal(other);
      return new Decimal(this.units * b.units, this.scale + b.scale);
    }
    /** Rounded half away from zero. */
    dividedBy(other, places = 10) {
      const b = decimal(other);
      if (b.units === 0n) throw new RangeError("division by zero");
      const exact = new Decimal(
        (this.units * powerOfTen(places + 1 + b.scale)) / b.units,
        places + 1 + this.scale,
      );
      return exact.round(places);
    }
    /** Rounded half away from zero, with exactly this many places. */
    round(places = 0) {
      if (this.scale <= places)
        return new Decimal(this.units * powerOfTen(places - this.scale), places);
      const step = powerOfTen(this.scale - places);
      const half = (this.units < 0n ? -step : step) / 2n;
      return new Decimal((this.units + half) / step, places);
    }
    compareTo(other) {
      const { units } = this.minus(other);
      return units < 0n ? -1 : units > 0n ? 1 : 0;
    }
    equals(other) {
      return this.compareTo(other) === 0;
    }
    toNumber() {
      return Number(this.toString());
    }
    valueOf() {
      return this.toNumber();
    }
    toString() {
      const digits = String(this.units < 0n ? -this.units : this.units).padStart(
        this.scale + 1,
        "0",
      );
      const whole = digits.slice(0, digits.length - this.scale);
      const sign = this.units < 0n ? "-" : "";
      return this.scale === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-this.scale)}`;
    }
    toJSON() {
      return this.toString();
    }
  }

  function decimal(value, mark) {
    if (value instanceof Decimal) return value;
    if (typeof value === "bigint") return new Decimal(value, 0);
    const text = typeof value === "number" ? String(value) : value;
    const read =
      typeof text === "string"
        ? readDigits(text, typeof value === "number" ? "." : (mark ?? decimalMark([text])))
        : null;
    if (read === null)
      throw new TypeError(`${JSON.stringify(value) ?? "undefined"} is not a number`);
    return new Decimal(read.units, read.scale);
  }

  /** A number as people write it, such as "1.234,50 €"; null if it is none. */
  function parseNumber(text, mark) {
    if (typeof text === "number") return text;
    if (typeof text !== "string") return null;
    const read = readDigits(text, mark ?? decimalMark([text]));
    return read === null ? null : new Decimal(read.units, read.scale).toNumber();
  }

  const isEmpty = (value) =>
    value === null || value === undefined || (typeof value === "string" && value.trim() === "");

  /** The values of a list of numbers, or of a column; empty ones are left out. */
  function valuesOf(rows, key) {
    const all = Array.isArray(rows) ? rows : [...rows];
    const read = typeof key === "function" ? key : (row) => row[key];
    const values = key === undefined ? all : all.map(read);
    if (
      key !== undefined &&
      typeof key === "string" &&
      all.length > 0 &&
      !all.some((row) => key in row)
    )
      throw new ReferenceError(
        `no column ${JSON.stringify(key)}; columns: ${Object.keys(all[0]).join(", ")}`,
      );
    return values;
  }
  function decimalsOf(rows, key) {
    const values = valuesOf(rows, key);
    const mark = decimalMark(values);
    const read = [];
    for (let n = 0; n < values.length; n++) {
      const value = values[n];
      if (isEmpty(value)) continue;
      try {
        read.push(decimal(value, mark));
      } catch {
        throw new TypeError(`row ${n + 1}: ${JSON.stringify(value)} is not a number`);
      }
    }
    return read;
  }
  const numbersOf = (rows, key) => {
    const values = valuesOf(rows, key);
    return values.every(isNumber) ? values : decimalsOf(rows, key).map((value) => value.toNumber());
  };

  /** The exact sum as a whole number and its scale; null if those get too large. */
  function sumScaled(numbers) {
    let scale = 0;
    let factor = 1;
    let total = 0;
    for (const value of numbers) {
      let units = Math.round(value * factor);
      // Dividing whole numbers rounds to the closest double, which is how the decimal was read.
      while (units / factor !== value) {
        if (scale === 9) return null;
        scale++;
        factor *= 10;
        total *= 10;
        units = Math.round(value * factor);
      }
      total += units;
      if (!Number.isSafeInteger(units) || !Number.isSafeInteger(total)) return null;
    }
    return { total, scale, factor };
  }
  const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

  /** Exact: 0.1 and 0.2 make 0.3. */
  function sumExact(rows, key) {
    const values = valuesOf(rows, key);
    const scaled = values.every(isNumber) ? sumScaled(values) : null;
    if (scaled !== null) return new Decimal(BigInt(scaled.total), scaled.scale);
    let scale = 0;
    let units = 0n;
    for (const value of decimalsOf(rows, key)) {
      if (value.scale > scale) {
        units *= powerOfTen(value.scale - scale);
        scale = value.scale;
      }
      units += value.units * powerOfTen(scale - value.scale);
    }
    return new Decimal(units, scale);
  }
  function sum(rows, key) {
    const numbers = numbersOf(rows, key);
    const scaled = sumScaled(numbers);
    return scaled === null ? sumExact(numbers).toNumber() : scaled.total / scaled.factor;
  }
  const sorted = (rows, key) => [...numbersOf(rows, key)].sort((a, b) => a - b);
  function mean(rows, key) {
    const numbers = numbersOf(rows, key);
    return numbers.length === 0 ? null : sum(numbers) / numbers.length;
  }
  /** Interpolates linearly between the two closest values. */
  function quantile(rows, share, key) {
    const numbers = sorted(rows, key);
    if (numbers.length === 0) return null;
    const place = (numbers.length - 1) * share;
    const low = Math.floor(place);
    const high = Math.ceil(place);
    return numbers[low] + (numbers[high] - numbers[low]) * (place - low);
  }
  const median = (rows, key) => quantile(rows, 0.5, key);
  function standardDeviation(rows, key) {
    const numbers = numbersOf(rows, key);
    if (numbers.length < 2) return null;
    const middle = sum(numbers) / numbers.length;
    let squares = 0;
    for (const value of numbers) squares += (value - middle) ** 2;
    return Math.sqrt(squares / (numbers.length - 1));
  }
  const smallest = (rows, key) => sorted(rows, key)[0] ?? null;
  const largest = (rows, key) => sorted(rows, key).at(-1) ?? null;
  const round = (value, places = 0) => decimal(value).round(places).toNumber();

  const dayMs = 86_400_000;
  const pad = (value) => String(value).padStart(2, "0");
  function toDay(value) {
    if (value instanceof Date) return Math.floor(value.getTime() / dayMs);
    const text = parseDate(value);
    return (
      Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)) - 1, Number(text.slice(8))) /
      dayMs
    );
  }
  const fromDay = (day) => new Date(day * dayMs).toISOString().slice(0, 10);
  /** As YYYY-MM-DD. 3/4/2024 is read as day and month unless `order` is "mdy". */
  function parseDate(value, order = "dmy") {
    if (value instanceof Date) return value.toISOString().slice(0, 10);
    const text = String(value).trim();
    let parts = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})/.exec(text);
    if (parts === null) {
      const found = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})\b/.exec(text);
      if (found !== null) {
        const year = found[3].length === 2 ? `20${found[3]}` : found[3];
        const isMonthFirst = (order === "mdy" && Number(found[1]) <= 12) || Number(found[2]) > 12;
        parts = isMonthFirst ? [text, year, found[1], found[2]] : [text, year, found[2], found[1]];
      }
    }
    const [year, month, day] = parts === null ? [NaN, NaN, NaN] : parts.slice(1, 4).map(Number);
    const date = new Date(Date.UTC(year, month - 1, day));
    if (Number.isNaN(date.getTime()) || date.getUTCMonth() !== month - 1)
      throw new RangeError(`${JSON.stringify(value)} is not a date`);
    return `${String(year).padStart(4, "0")}-${pad(month)}-${pad(day)}`;
  }
  const addDays = (date, days) => fromDay(toDay(date) + days);
  /** The last day of the month if it has no such day. */
  function addMonths(date, months) {
    const [year, month, day] = parseDate(date).split("-").map(Number);
    const first = new Date(Date.UTC(year, month - 1 + months, 1));
    const last = new Date(
      Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0),
    ).getUTCDate();
    return `${first.getUTCFullYear()}-${pad(first.getUTCMonth() + 1)}-${pad(Math.min(day, last))}`;
  }
  const daysBetween = (from, to) => toDay(to) - toDay(from);
  const weekday = (date) =>
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"][
      (((toDay(date) + 4) % 7) + 7) % 7
    ];
  const monthOf = (date) => parseDate(date).slice(0, 7);
  const quarterOf = (date) => {
    const text = parseDate(date);
    return `${text.slice(0, 4)}-Q${Math.ceil(Number(text.slice(5, 7)) / 3)}`;
  };

  /** Returns a function like Math.random whose numbers depend only on the seed (mulberry32). */
  function random(seed = 1) {
    let state = seed >>> 0;
    return () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
  }

  define({ decimal, parseNumber, sum, sumExact, mean, median, quantile, standardDeviation });
  define({ smallest, largest, round, random });
  define({ parseDate, addDays, addMonths, daysBetween, weekday, monthOf, quarterOf });
  return { define, isEmpty, parseNumber, Decimal };
})();
