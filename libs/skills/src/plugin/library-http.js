// Runs inside the sandbox: Node's `http` and `https`, as far as plugins use them, on `fetch`.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ EventEmitter, Buffer, URL, AbortController, fetch, setTimeout, clearTimer }) => {
  function toOptions(address) {
    const { protocol, hostname, port, pathname, search } = address;
    return { protocol, hostname, port, path: pathname + search };
  }
  function toAddress(own, { protocol = own, hostname, host = "localhost", port, path = "/" }) {
    const name = hostname ?? host;
    return `${protocol}//${name}${port ? `:${port}` : ""}${path}`;
  }

  class IncomingMessage extends EventEmitter {
    #encoding = null;
    constructor(reply, bytes) {
      super();
      this.statusCode = reply.status;
      this.statusMessage = reply.statusText;
      this.headers = Object.fromEntries(reply.headers);
      const cookies = reply.headers.getSetCookie();
      if (cookies.length > 0) this.headers["set-cookie"] = cookies;
      this.bytes = bytes;
    }
    #read() {
      return this.#encoding === null ? this.bytes : this.bytes.toString(this.#encoding);
    }
    setEncoding(encoding) {
      this.#encoding = encoding;
      return this;
    }
    resume() {
      return this;
    }
    send() {
      if (this.bytes.length > 0) this.emit("data", this.#read());
      this.complete = true;
      this.emit("end");
      this.emit("close");
    }
    async *[Symbol.asyncIterator]() {
      if (this.bytes.length > 0) yield this.#read();
    }
  }

  class ClientRequest extends EventEmitter {
    #address;
    #method;
    #headers = {};
    #pieces = [];
    #controller = new AbortController();
    #timer;
    constructor(address, { method = "GET", headers = {}, auth, timeout }) {
      super();
      this.#address = address;
      this.#method = method;
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
      if (auth) this.setHeader("authorization", `Basic ${Buffer.from(auth).toString("base64")}`);
      if (timeout) this.setTimeout(timeout);
    }
    setHeader(name, value) {
      this.#headers[String(name).toLowerCase()] = [value].flat().join(", ");
      return this;
    }
    getHeader(name) {
      return this.#headers[String(name).toLowerCase()];
    }
    removeHeader(name) {
      delete this.#headers[String(name).toLowerCase()];
    }
    setTimeout(milliseconds, callback) {
      if (callback) this.once("timeout", callback);
      clearTimer(this.#timer);
      this.#timer = setTimeout(() => this.emit("timeout"), milliseconds);
      return this;
    }
    write(piece, encoding) {
      this.#pieces.push(
        typeof piece === "string" ? Buffer.from(piece, encoding) : Buffer.from(piece),
      );
      return true;
    }
    end(piece, encoding) {
      if (piece !== undefined && typeof piece !== "function") this.write(piece, encoding);
      void this.#send();
      return this;
    }
    destroy(fault = new Error("socket hang up")) {
      this.#controller.abort(fault);
      return this;
    }
    abort() {
      this.destroy();
    }
    async #send() {
      try {
        const reply = await fetch(this.#address, {
          method: this.#method,
          headers: this.#headers,
          redirect: "manual",
          signal: this.#controller.signal,
          ...(this.#pieces.length > 0 && { body: Buffer.concat(this.#pieces) }),
        });
        const message = new IncomingMessage(reply, Buffer.from(await reply.arrayBuffer()));
        clearTimer(this.#timer);
        this.emit("response", message);
        // Listeners are added by now, or in the next step.
        setTimeout(() => message.send(), 0);
      } catch (fault) {
        clearTimer(this.#timer);
        this.emit("error", fault);
      }
    }
  }

  return (protocol) => {
    function request(given, ...rest) {
      const callback = typeof rest.at(-1) === "function" ? rest.pop() : null;
      const isAddress = typeof given === "string" || given instanceof URL;
      const options = { ...(isAddress ? toOptions(new URL(given)) : given), ...rest[0] };
      const made = new ClientRequest(toAddress(protocol, options), options);
      if (callback !== null) made.once("response", callback);
      return made;
    }
    class Agent {}
    return { request, get: (...given) => request(...given).end(), Agent, globalAgent: new Agent() };
  };
};
