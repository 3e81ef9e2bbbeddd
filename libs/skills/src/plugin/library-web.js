// Runs inside the sandbox: what plugins use of the web platform to make requests, each of which the
// host checks.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ call, request, abort, bytesOf, setTimeout, url: { URL, URLSearchParams }, bodies }) => {
  const { Blob, FormData, ReadableStream, encodeForm } = bodies;
  class DOMException extends Error {
    constructor(message = "", name = "Error") {
      super(message);
      defineProperty(this, "name", { value: name });
    }
  }
  const { defineProperty } = Object;

  class AbortSignal {
    aborted = false;
    reason = undefined;
    onabort = null;
    #listeners = new Set();
    static abort(reason) {
      const controller = new AbortController();
      controller.abort(reason);
      return controller.signal;
    }
    static timeout(milliseconds) {
      const controller = new AbortController();
      setTimeout(
        () => controller.abort(new DOMException("The operation timed out.", "TimeoutError")),
        milliseconds,
      );
      return controller.signal;
    }
    static any(signals) {
      const controller = new AbortController();
      for (const signal of signals) {
        if (signal.aborted) controller.abort(signal.reason);
        else signal.addEventListener("abort", () => controller.abort(signal.reason));
      }
      return controller.signal;
    }
    addEventListener(type, listener) {
      if (type === "abort") this.#listeners.add(listener);
    }
    removeEventListener(_, listener) {
      this.#listeners.delete(listener);
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
    /** Called by the controller only. */
    static fire(signal, reason) {
      if (signal.aborted) return;
      signal.aborted = true;
      signal.reason = reason ?? new DOMException("The operation was aborted.", "AbortError");
      const event = { type: "abort", target: signal };
      signal.onabort?.(event);
      for (const listener of [...signal.#listeners])
        if (typeof listener === "function") listener.call(signal, event);
        else listener.handleEvent(event);
    }
  }
  const { fire } = AbortSignal;
  delete AbortSignal.fire;
  class AbortController {
    signal = new AbortSignal();
    abort(reason) {
      fire(this.signal, reason);
    }
  }

  class Headers {
    #values = new Map();
    constructor(given) {
      if (given == null) return;
      const entries = given[Symbol.iterator] ? given : Object.entries(given);
      for (const [name, value] of entries) this.append(name, value);
    }
    append(name, value) {
      const key = String(name).toLowerCase();
      this.#values.set(key, [...(this.#values.get(key) ?? []), String(value).trim()]);
    }
    set(name, value) {
      this.#values.set(String(name).toLowerCase(), [String(value).trim()]);
    }
    get(name) {
      return this.#values.get(String(name).toLowerCase())?.join(", ") ?? null;
    }
    has(name) {
      return this.#values.has(String(name).toLowerCase());
    }
    delete(name) {
      this.#values.delete(String(name).toLowerCase());
    }
    getSetCookie() {
      return [...(this.#values.get("set-cookie") ?? [])];
    }
    forEach(callback) {
      for (const [name, value] of this) callback(value, name, this);
    }
    entries() {
      return [...this.#values]
        .map(([name, values]) => [name, values.join(", ")])
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .values();
    }
    keys() {
      return [...this.entries()].map(([name]) => name).values();
    }
    values() {
      return [...this.entries()].map(([, value]) => value).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }

  /** The bytes of a body, and the type that they have by themselves. */
  function readBody(body) {
    if (body == null) return { bytes: null, type: null };
    if (body instanceof URLSearchParams)
      return {
        bytes: call("encode", body.toString()),
        type: "application/x-www-form-urlencoded;charset=UTF-8",
      };
    if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
      return { bytes: bytesOf(body), type: null };
    if (body instanceof FormData) return encodeForm(body);
    if (body instanceof Blob) return { bytes: bodies.bytesOfBlob(body), type: body.type || null };
    if (body instanceof ReadableStream)
      throw new TypeError("A stream can't be sent in Carrel. Send a text, bytes or FormData.");
    if (typeof body === "object" && !(body instanceof String) && body.toString === objectText)
      throw new TypeError("a body has to be a text, bytes, URLSearchParams, FormData or Blob");
    return { bytes: call("encode", String(body)), type: "text/plain;charset=UTF-8" };
  }
  const objectText = Object.prototype.toString;

  class Body {
    #bytes;
    #isUsed = false;
    #stream = null;
    constructor(bytes) {
      this.#bytes = bytes;
    }
    static peek(body) {
      return body.#bytes;
    }
    /** In one piece: the host has read it whole. */
    get body() {
      if (this.#bytes === null) return null;
      this.#stream ??= new ReadableStream({
        pull: async (controller) => {
          const bytes = await this.bytes();
          if (bytes.byteLength > 0) controller.enqueue(bytes);
          controller.close();
        },
      });
      return this.#stream;
    }
    get bodyUsed() {
      return this.#isUsed;
    }
    async arrayBuffer() {
      if (this.#isUsed) throw new TypeError("the body was read before");
      this.#isUsed = true;
      return this.#bytes ?? new ArrayBuffer(0);
    }
    async bytes() {
      return new Uint8Array(await this.arrayBuffer());
    }
    async text() {
      return call("decode", await this.arrayBuffer(), "utf-8", "");
    }
    async json() {
      return JSON.parse(await this.text());
    }
    async blob() {
      return new Blob([await this.arrayBuffer()], { type: this.headers.get("content-type") ?? "" });
    }
    async formData() {
      throw new TypeError("Carrel can't read a reply as FormData. Read it as text.");
    }
  }
  const { peek } = Body;
  delete Body.peek;

  class Request extends Body {
    constructor(input, init = {}) {
      const from = input instanceof Request ? input : null;
      const { bytes, type } = readBody(init.body ?? null);
      super(bytes ?? (from === null ? null : peek(from)));
      this.url = new URL(from === null ? input : from.url).href;
      this.method = String(init.method ?? from?.method ?? "GET").toUpperCase();
      this.headers = new Headers(init.headers ?? from?.headers);
      this.redirect = init.redirect ?? from?.redirect ?? "follow";
      this.signal = init.signal ?? from?.signal ?? null;
      if (type !== null && !this.headers.has("content-type"))
        this.headers.set("content-type", type);
    }
    clone() {
      return new Request(this);
    }
  }

  class Response extends Body {
    constructor(body = null, { status = 200, statusText = "", headers } = {}) {
      const { bytes, type } = readBody(body);
      super(bytes);
      this.status = status;
      this.statusText = statusText;
      this.headers = new Headers(headers);
      this.url = "";
      this.redirected = false;
      this.type = "default";
      if (type !== null && !this.headers.has("content-type"))
        this.headers.set("content-type", type);
    }
    static json(value, init = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      return new Response(JSON.stringify(value), { ...init, headers });
    }
    get ok() {
      return this.status >= 200 && this.status < 300;
    }
    clone() {
      const copy = new Response(peek(this), this);
      return Object.assign(copy, { url: this.url, redirected: this.redirected });
    }
  }

  async function fetch(input, init) {
    const wanted = new Request(input, init);
    const { signal } = wanted;
    signal?.throwIfAborted();
    const head = JSON.stringify({
      url: wanted.url,
      method: wanted.method,
      headers: [...wanted.headers],
      redirect: String(wanted.redirect),
    });
    const { id, promise } = request("fetch", head, peek(wanted) ?? undefined);
    const stopped = Promise.withResolvers();
    const stop = () => {
      abort(id);
      stopped.reject(signal.reason);
    };
    signal?.addEventListener("abort", stop);
    try {
      const { status, statusText, headers, url, redirected } = await Promise.race([
        promise,
        stopped.promise,
      ]);
      const response = new Response(call("body", String(id)) ?? null, {
        status,
        statusText,
        headers,
      });
      return Object.assign(response, { url, redirected, type: "basic" });
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  for (const each of [
    URL,
    URLSearchParams,
    AbortSignal,
    AbortController,
    Headers,
    Request,
    Response,
  ])
    Object.freeze(each.prototype);
  return {
    URL,
    URLSearchParams,
    AbortController,
    AbortSignal,
    DOMException,
    Headers,
    Request,
    Response,
    fetch,
    ...bodies.globals,
  };
};
