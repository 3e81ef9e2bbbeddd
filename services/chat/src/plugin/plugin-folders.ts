import { randomUUID } from "node:crypto";
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { InstanceConfig } from "@carrel/config";
import { CarrelError, clipText, pluginId, pluginLimits } from "@carrel/contracts";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

const mostFolders = 500;
const ignored: ReadonlySet<string> = new Set([".DS_Store", ".git", "__MACOSX", "Thumbs.db"]);

/** Folders with plugins in `<CARREL_HOME>/plugins/agent-skills`, where existing ones lie. */
@Injectable()
export class PluginFolders {
  private readonly root: string;

  constructor(
    @Inject(CONFIG) config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.root = path.join(config.CARREL_HOME, "plugins", "agent-skills");
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.root, { withFileTypes: true }).catch(noneIfMissing);
    return entries
      .filter((entry) => entry.isDirectory() && pluginId.safeParse(entry.name).success)
      .map(({ name }) => name)
      .slice(0, mostFolders);
  }

  /** Throws CarrelError for links, special files, and more than a plugin may have. */
  async read(folder: string): Promise<Map<string, Uint8Array>> {
    const files = new Map<string, Uint8Array>();
    for (const name of (await this.listFiles(folder)).names)
      files.set(name, await readFile(path.join(this.root, folder, name)));
    return files;
  }

  /** When something in it was changed last on this disk. Throws CarrelError like `read`. */
  async changedMs(folder: string): Promise<number> {
    return (await this.listFiles(folder)).changedMs;
  }

  private async listFiles(folder: string): Promise<{ names: string[]; changedMs: number }> {
    const names: string[] = [];
    let sum = 0;
    let changedMs = 0;
    const measure = async (name: string): Promise<number> => {
      const { size, ctimeMs } = await lstat(path.join(this.root, folder, name));
      changedMs = Math.max(changedMs, ctimeMs);
      return size;
    };
    const visit = async (below: string): Promise<void> => {
      await measure(below);
      const entries = await readdir(path.join(this.root, folder, below), { withFileTypes: true });
      for (const entry of entries) {
        if (ignored.has(entry.name)) continue;
        const name = below === "" ? entry.name : `${below}/${entry.name}`;
        if (name.length > pluginLimits.path)
          throw new CarrelError("plugin.file-name-invalid", { file: clipText(name, 100) });
        if (entry.isDirectory()) await visit(name);
        else if (!entry.isFile())
          // npm links programs that nothing here runs.
          if (below.endsWith("node_modules/.bin")) continue;
          else throw new CarrelError("plugin.file-not-plain", { file: name });
        else {
          sum += await measure(name);
          if (sum > pluginLimits.bytes)
            throw new CarrelError("plugin.too-large", {
              megabytes: pluginLimits.bytes / 1_000_000,
            });
          if (names.length >= pluginLimits.files)
            throw new CarrelError("plugin.too-many-files", { limit: pluginLimits.files });
          names.push(name);
        }
      }
    };
    await visit("");
    return { names, changedMs };
  }

  /** As far as this process may. A link is removed, not what it leads to. */
  async remove(folder: string): Promise<void> {
    if (!pluginId.safeParse(folder).success) return;
    // At once, so that nothing adopts what is left of it.
    const aside = path.join(this.root, `.deleted-${randomUUID()}`);
    try {
      await rename(path.join(this.root, folder), aside);
      await rm(aside, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
      this.logger.warn({ err: error, folder }, "couldn't remove the folder of a deleted plugin");
    }
  }
}

function noneIfMissing(error: NodeJS.ErrnoException): [] {
  if (error.code === "ENOENT" || error.code === "ENOTDIR" || error.code === "EACCES") return [];
  throw error;
}
