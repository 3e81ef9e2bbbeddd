import { connect, Session, type Connection } from "@lancedb/lancedb";

/**
 * Memory limits for cached indexes and file metadata, in bytes. The library's defaults are 6 GB and
 * 1 GB, and writing fills them with indexes of obsolete versions. The vectors of
 * 100,000 chunks with 384 dimensions take 154 MB.
 */
const limits = { index: 192n << 20n, metadata: 32n << 20n };

/** Caches no larger than this, in bytes, aren't worth dropping and reading again. */
const worthKeeping = 16 << 20;
/** Growth since the last renewal that means that most entries are obsolete. */
const maxGrowth = 3;
/** The caches are dropped when unused for this long. */
const idleMs = 30_000;

interface Opened {
  connection: Connection;
  session: Session;
}

async function openFolder(folder: string): Promise<Opened> {
  const session = new Session(limits.index, limits.metadata);
  // Must be in the options: the types also allow a third argument, which the library silently
  // ignores.
  const connection = await connect(folder, { readConsistencyInterval: 0, session });
  await connection.tableNames();
  return { connection, session };
}

/**
 * A connection to an index folder and its caches, which only opening another connection can empty:
 * when they have filled with indexes of old versions, or nothing has been read or written for a
 * while.
 */
export class LanceCaches {
  /** Size in bytes at the first check after a renewal. */
  private first: number | null = null;
  private usedAt = performance.now();
  private timer: NodeJS.Timeout | null = null;
  private renewing: Promise<void> | null = null;
  private closed = false;

  private constructor(
    private readonly folder: string,
    private opened: Opened,
    private readonly idleAfterMs: number,
  ) {}

  static async open(folder: string, idleAfterMs = idleMs): Promise<LanceCaches> {
    return new LanceCaches(folder, await openFolder(folder), idleAfterMs);
  }

  /** Makes the tables use the new connection. */
  onRenewed: () => Promise<void> = () => Promise.resolve();

  get connection(): Connection {
    return this.opened.connection;
  }

  get bytes(): number {
    return Number(this.opened.session.sizeBytes());
  }

  noteUse(): void {
    this.usedAt = performance.now();
    if (this.closed || this.timer) return;
    this.timer = setTimeout(() => this.look(), this.idleAfterMs);
    this.timer.unref();
  }

  private look(): void {
    this.timer = null;
    const left = this.usedAt + this.idleAfterMs - performance.now();
    if (left > 0) {
      this.timer = setTimeout(() => this.look(), left);
      this.timer.unref();
    } else if (this.bytes > worthKeeping) void this.renew();
  }

  /** Called when what was read from files won't be needed again soon. */
  dropUnused(): void {
    if (this.bytes > worthKeeping) void this.renew();
  }

  /** Called after a table was optimised, which makes its cached data useless. */
  async noteVersion(): Promise<void> {
    const bytes = this.bytes;
    this.first ??= bytes;
    if (bytes > maxGrowth * Math.max(this.first, worthKeeping)) await this.renew();
  }

  /** The old connection and its caches are freed by garbage collection once they are unused. */
  renew(): Promise<void> {
    this.renewing ??= openFolder(this.folder)
      .then(async (opened) => {
        if (this.closed) return opened.connection.close();
        this.opened = opened;
        this.first = null;
        await this.onRenewed();
      })
      // Any fault of the folder shows at the next read.
      .catch(() => undefined)
      .finally(() => {
        this.renewing = null;
      });
    return this.renewing;
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.renewing;
    this.connection.close();
  }
}
