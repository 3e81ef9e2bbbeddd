// Runs inside the sandbox: what requests and replies are made of besides texts and bytes.
// oxlint-disable-next-line no-unused-expressions -- the value of this file
({ call, bytesOf, TextDecoder }) => {
  function join(pieces) {
    const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(new Uint8Array(piece), at);
      at += piece.byteLength;
    }
    return all.buffer;
  }

  class Blob {
    #bytes;
    constructor(parts = [], { type = "" } = {}) {
      this.#bytes = join(
        [...parts].map((part) => {
          if (part instanceof Blob) return part.#bytes;
          return part instanceof ArrayBuffer || ArrayBuffer.isView(part)
            ? bytesOf(part)
            : call("encode", String(part));
        }),
      );
      this.type = String(type).toLowerCase();
    }
    static peek(blob) {
      return blob.#bytes;
    }
    get size() {
      return this.#bytes.byteLength;
    }
    slice(start, end, type = "") {
      return new Blob([this.#bytes.slice(start, end)], { type });
    }
    async arrayBuffer() {
      return this.#bytes.slice(0);
    }
    async bytes() {
      return new Uint8Array(this.#bytes.slice(0));
    }
    async text() {
      return call("decode", this.#bytes, "utf-8", "");
    }
    stream() {
      return ReadableStream.from([new Uint8Array(this.#bytes.slice(0))]);
    }
  }
  const { peek: bytesOfBlob } = Blob;
  delete Blob.peek;
  class File extends Blob {
    constructor(parts, name, { type, lastModified = Date.now() } = {}) {
      super(parts, { type });
      this.name = String(name);
      this.lastModified = lastModified;
    }
  }

  class FormData {
    #entries = [];
    static #toEntry(name, value, filename) {
      if (!(value instanceof Blob)) return [String(name), String(value)];
      const isFile = value instanceof File && filename === undefined;
      const { type, name: ownName = "blob" } = value;
      return [String(name), isFile ? value : new File([value], filename ?? ownName, { type })];
    }
    append(...given) {
      this.#entries.push(FormData.#toEntry(...given));
    }
    set(name, ...given) {
      const at = this.#entries.findIndex(([each]) => each === String(name));
      if (at < 0) return this.append(name, ...given);
      const entry = FormData.#toEntry(name, ...given);
      this.#entries = this.#entries.filter(([each], n) => n === at || each !== String(name));
      this.#entries[at] = entry;
      return undefined;
    }
    get(name) {
      return this.#entries.find(([each]) => each === String(name))?.[1] ?? null;
    }
    getAll(name) {
      return this.#entries.filter(([each]) => each === String(name)).map(([, value]) => value);
    }
    has(name) {
      return this.#entries.some(([each]) => each === String(name));
    }
    delete(name) {
      this.#entries = this.#entries.filter(([each]) => each !== String(name));
    }
    forEach(callback) {
      for (const [name, value] of this) callback(value, name, this);
    }
    entries() {
      return this.#entries.map((entry) => [...entry]).values();
    }
    keys() {
      return this.#entries.map(([name]) => name).values();
    }
    values() {
      return this.#entries.map(([, value]) => value).values();
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }

  const quoted = (text) => text.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
  /** As multipart/form-data, with a boundary that no field can guess. */
  function encodeForm(form) {
    const boundary = `carrel-${call("uuid")}`;
    const pieces = [];
    for (const [name, value] of form) {
      const isFile = value instanceof Blob;
      const type = isFile
        ? `; filename="${quoted(value.name)}"\r\ncontent-type: ${quoted(value.type) || "application/octet-stream"}`
        : "";
      const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${type}\r\n\r\n`;
      pieces.push(
        call("encode", head),
        isFile ? bytesOfBlob(value) : call("encode", value.replace(/\r?\n|\r/g, "\r\n")),
        call("encode", "\r\n"),
      );
    }
    pieces.push(call("encode", `--${boundary}--\r\n`));
    return { bytes: join(pieces), type: `multipart/form-data; boundary=${boundary}` };
  }

  /** Without back pressure: everything is in memory anyway. */
  class ReadableStream {
    #chunks = [];
    #reads = [];
    #state = "open";
    #fault;
    #source;
    #controller;
    #isPulling = false;
    #reader = null;
    constructor(source = {}) {
      this.#source = source;
      this.#controller = {
        desiredSize: 1,
        enqueue: (chunk) => {
          if (this.#state !== "open") throw new TypeError("the stream is closed");
          this.#chunks.push(chunk);
          this.#serve();
        },
        close: () => this.#end("closed"),
        error: (fault) => this.#end("failed", fault),
      };
      void Promise.resolve(source.start?.(this.#controller)).then(
        () => this.#serve(),
        (fault) => this.#end("failed", fault),
      );
    }
    static from(chunks) {
      const iterator = chunks[Symbol.asyncIterator]?.() ?? chunks[Symbol.iterator]();
      return new ReadableStream({
        async pull(controller) {
          const { done, value } = await iterator.next();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => iterator.return?.(),
      });
    }
    #end(state, fault) {
      if (this.#state !== "open") return;
      this.#state = state;
      this.#fault = fault;
      this.#serve();
    }
    #serve() {
      while (this.#reads.length > 0 && this.#chunks.length > 0)
        this.#reads.shift().resolve({ done: false, value: this.#chunks.shift() });
      if (this.#state === "open") {
        if (this.#reads.length > 0) void this.#pull();
        return;
      }
      for (const read of this.#reads.splice(0))
        if (this.#state === "failed") read.reject(this.#fault);
        else read.resolve({ done: true, value: undefined });
    }
    async #pull() {
      if (this.#isPulling || this.#source.pull === undefined) return;
      this.#isPulling = true;
      const before = this.#reads.length;
      try {
        await this.#source.pull(this.#controller);
      } catch (fault) {
        this.#end("failed", fault);
      }
      this.#isPulling = false;
      // One that added nothing is asked again with the next read only.
      if (this.#reads.length < before) this.#serve();
    }
    #read() {
      const read = Promise.withResolvers();
      this.#reads.push(read);
      this.#serve();
      return read.promise;
    }
    get locked() {
      return this.#reader !== null;
    }
    getReader() {
      if (this.#reader !== null) throw new TypeError("the stream is being read");
      const reader = {
        read: () => this.#read(),
        cancel: (reason) => this.#cancel(reason),
        releaseLock: () => {
          this.#reader = null;
        },
      };
      this.#reader = reader;
      return reader;
    }
    async #cancel(reason) {
      this.#chunks.length = 0;
      this.#end("closed");
      await this.#source.cancel?.(reason);
    }
    cancel(reason) {
      return this.#cancel(reason);
    }
    async *values() {
      const reader = this.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      } finally {
        reader.releaseLock();
      }
    }
    [Symbol.asyncIterator]() {
      return this.values();
    }
    pipeThrough({ readable, writable }) {
      void this.pipeTo(writable).catch(() => undefined);
      return readable;
    }
    async pipeTo(writable) {
      const writer = writable.getWriter();
      try {
        for await (const chunk of this) await writer.write(chunk);
      } catch (fault) {
        await writer.abort(fault);
        throw fault;
      }
      await writer.close();
    }
  }

  class WritableStream {
    #sink;
    constructor(sink = {}) {
      this.#sink = sink;
    }
    getWriter() {
      return {
        ready: Promise.resolve(),
        write: async (chunk) => this.#sink.write?.(chunk),
        close: async () => this.#sink.close?.(),
        abort: async (fault) => this.#sink.abort?.(fault),
        releaseLock: () => undefined,
      };
    }
  }
  class TransformStream {
    constructor({ start, transform, flush } = {}) {
      let output;
      this.readable = new ReadableStream({
        start(controller) {
          output = controller;
          return start?.(controller);
        },
      });
      this.writable = new WritableStream({
        write: (chunk) =>
          transform === undefined ? output.enqueue(chunk) : transform(chunk, output),
        async close() {
          await flush?.(output);
          output.close();
        },
        abort: (fault) => output.error(fault),
      });
    }
  }
  class TextDecoderStream extends TransformStream {
    constructor(label, options) {
      const decoder = new TextDecoder(label, options);
      const send = (text, controller) => {
        if (text !== "") controller.enqueue(text);
      };
      super({
        transform: (chunk, controller) => send(decoder.decode(chunk, { stream: true }), controller),
        flush: (controller) => send(decoder.decode(), controller),
      });
    }
  }

  return {
    globals: {
      Blob,
      File,
      FormData,
      ReadableStream,
      WritableStream,
      TransformStream,
      TextDecoderStream,
    },
    Blob,
    FormData,
    ReadableStream,
    bytesOfBlob,
    encodeForm,
  };
};
