import { open } from "node:fs/promises";

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Makes the file names in folders durable. Calls that arrive while a folder is being synced share
 * the next sync, because each one waits for the disk.
 */
export class FolderSync {
  private readonly running = new Map<string, Promise<void>>();
  private readonly waiting = new Map<string, Promise<void>>();

  constructor(private readonly syncOne = syncFolder) {}

  /** Resolves after a sync that started after this call. */
  sync(path: string): Promise<void> {
    const waiting = this.waiting.get(path);
    if (waiting) return waiting;
    const running = this.running.get(path);
    if (!running) return this.start(path);
    const next = running
      .catch(() => undefined)
      .then(() => {
        this.waiting.delete(path);
        return this.start(path);
      });
    this.waiting.set(path, next);
    return next;
  }

  private start(path: string): Promise<void> {
    const running = this.syncOne(path).finally(() => {
      this.running.delete(path);
    });
    this.running.set(path, running);
    return running;
  }
}
