import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { unfinishedName } from "./leftovers.ts";
import { checksumsEvery, manifestName, type Manifest } from "./manifest.ts";

/**
 * Writes a backup: a tar file of parts. After every few thousand parts comes a list of their
 * checksums, and the manifest is last, so a file that was cut off is noticed. Until `finish`, the
 * file has another name.
 */
export class ArchiveWriter {
  private readonly tar = pack();
  private readonly partial: string | null;
  private readonly written: Promise<void>;
  private checksums: string[] = [];
  private lists = 0;
  /** Another backup's unfinished file under the same name isn't ours to remove. */
  private isOurs = false;
  /** Fails the entry being written when the whole file fails. */
  private onFault: (fault: Error) => void = () => undefined;
  private fault: Error | null = null;
  private readonly parts = { count: 0, bytes: 0 };

  /** @param file null for standard output */
  constructor(
    private readonly file: string | null,
    private readonly signal: AbortSignal,
  ) {
    this.partial = file === null ? null : unfinishedName(file);
    const output =
      this.partial === null
        ? process.stdout
        : createWriteStream(this.partial, { mode: 0o600, flags: "wx", flush: true });
    output.once("open", () => (this.isOurs = true));
    this.written = pipeline(this.tar, output, { signal });
    // One listener for all entries: one for each would be kept until the end.
    this.written.catch((fault: Error) => {
      this.fault = fault;
      this.onFault(fault);
    });
  }

  async add(name: string, content: Buffer | { body: Readable; bytes: number }): Promise<void> {
    const sha256 = await this.write(name, content);
    const bytes = Buffer.isBuffer(content) ? content.length : content.bytes;
    this.checksums.push(`${sha256}  ${bytes}  ${name}\n`);
    this.parts.count += 1;
    this.parts.bytes += bytes;
    if (this.checksums.length >= checksumsEvery) await this.addChecksums();
  }

  /** Completes the file under its name; returns its manifest. */
  async finish(manifest: Omit<Manifest, "parts">): Promise<Manifest> {
    await this.addChecksums();
    const complete = { ...manifest, parts: this.parts };
    const text = Buffer.from(JSON.stringify(complete, null, 1));
    const sha256 = await this.write(manifestName, text);
    await this.write(`${manifestName}.sha256`, Buffer.from(`${sha256}\n`));
    this.tar.finalize();
    await this.written;
    if (this.partial !== null) await rename(this.partial, this.file!);
    return complete;
  }

  /** Removes the unfinished file. */
  async abandon(): Promise<void> {
    this.tar.destroy();
    await this.written.catch(() => undefined);
    if (this.partial !== null && this.isOurs) await rm(this.partial, { force: true });
  }

  private async addChecksums(): Promise<void> {
    if (this.checksums.length === 0) return;
    this.lists += 1;
    await this.write(`checksums/${this.lists}`, Buffer.from(this.checksums.join("")));
    this.checksums = [];
  }

  /** Returns the SHA-256 of the content. */
  private async write(
    name: string,
    content: Buffer | { body: Readable; bytes: number },
  ): Promise<string> {
    this.signal.throwIfAborted();
    if (this.fault !== null) throw this.fault;
    const [body, size] = Buffer.isBuffer(content)
      ? [Readable.from([content]), content.length]
      : [content.body, content.bytes];
    const hash = createHash("sha256");
    const entry = this.tar.entry({ name, size, mode: 0o600, type: "file" });
    entry.on("error", () => undefined); // the file's, which is reported below
    // The whole file failed (full disk) or the caller gave up: the entry alone would wait forever.
    const failed = new Promise<never>((_done, fail) => {
      this.onFault = fail;
    });
    const copied = (async () => {
      for await (const piece of body as AsyncIterable<Buffer>) {
        hash.update(piece);
        if (!entry.write(piece)) await once(entry, "drain");
      }
      entry.end();
      if (!entry.writableFinished) await once(entry, "finish");
    })();
    await Promise.race([copied, failed]);
    return hash.digest("hex");
  }
}
