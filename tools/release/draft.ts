import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PlainError } from "../terminal.ts";
import type { ImageTools } from "./images.ts";
import type { ReleasedImage, ReleasePlan } from "./plan.ts";

/** What a release is made from. */
interface Origin {
  version: string;
  /** Hash. */
  commit: string;
  /** Of the images, in order. */
  names: readonly string[];
}
/** release.json. */
interface State {
  version: string;
  commit: string;
  images: ReleasedImage[];
}

const stateFile = "release.json";
/** Says that images may be in the registry of which `release.json` doesn't know yet. */
const pushingFile = "pushing";

/**
 * The folder of a release while it is made: `.<name>.unfinished`, renamed when it is complete, so
 * that an interrupted release isn't taken for one. Once the images are built, a run that failed or
 * was killed can be continued.
 */
export class Draft {
  readonly folder: string;
  constructor(
    private readonly target: string,
    private readonly origin: Origin,
  ) {
    this.folder = join(dirname(target), `.${basename(target)}.unfinished`);
  }

  /** Whether an earlier run of this release began to push. */
  get isPushing(): boolean {
    const state = this.read(this.folder);
    return state !== null && this.isOurs(state) && this.isPushed(state);
  }

  /**
   * Returns the images that an earlier run built, or null with a new, empty folder. Throws a
   * PlainError if the target exists, unless it is this release, not pushed yet, and `push` is set;
   * or if the unfinished folder has images that were pushed, and this run wouldn't push the rest.
   */
  open({ push, dryRun }: Pick<ReleasePlan, "push" | "dryRun">): ReleasedImage[] | null {
    if (existsSync(this.target)) {
      const made = this.read(this.target);
      const isToPush = push && made !== null && this.isOurs(made) && !this.isPushed(made);
      if (!isToPush || existsSync(this.folder))
        throw new PlainError(
          `${this.target} exists already.\nWhat to do: name another folder with --to.`,
        );
      renameSync(this.target, this.folder);
    }
    const state = this.read(this.folder);
    const isOurs = state !== null && this.isOurs(state);
    if (state !== null && this.isPushed(state) && !(isOurs && push))
      throw new PlainError(
        `${this.folder} is an unfinished release of ${state.version}, of which images were pushed.\nWhat to do: finish it with the command that began it, at commit ${state.commit}, or delete the folder.`,
      );
    if (isOurs && !dryRun) return state.images;
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    return null;
  }

  save(images: readonly ReleasedImage[]): void {
    const { version, commit } = this.origin;
    const file = join(this.folder, stateFile);
    writeFileSync(`${file}.new`, `${JSON.stringify({ version, commit, images }, null, 1)}\n`);
    renameSync(`${file}.new`, file);
  }

  /** Pushes the images that aren't pushed yet, and sets their digests. */
  async push(images: readonly ReleasedImage[], tools: ImageTools): Promise<void> {
    const marker = join(this.folder, pushingFile);
    writeFileSync(marker, "");
    for (const each of images) {
      if (each.published !== null) continue;
      each.published = await tools.push(each.image, each.id);
      this.save(images);
    }
    rmSync(marker);
  }

  finish(): void {
    renameSync(this.folder, this.target);
  }

  /** Deletes the folder if there is nothing in it to continue with; returns the error to report. */
  fail(error: unknown): unknown {
    if ((this.read(this.folder)?.images.length ?? 0) === 0) {
      rmSync(this.folder, { recursive: true, force: true });
      return error;
    }
    if (!(error instanceof PlainError)) return error;
    return new PlainError(
      `${error.message}\nWhat is done so far is kept in ${this.folder}.\nWhat to do: when that is solved, run the same command again: it continues there.`,
    );
  }

  private read(folder: string): State | null {
    const file = join(folder, stateFile);
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as State) : null;
  }

  private isOurs({ version, commit, images }: State): boolean {
    const { names } = this.origin;
    return (
      version === this.origin.version &&
      commit === this.origin.commit &&
      images.length === names.length &&
      images.every(({ image }, index) => image === names[index])
    );
  }

  private isPushed({ images }: State): boolean {
    return (
      existsSync(join(this.folder, pushingFile)) ||
      images.some(({ published }) => published !== null)
    );
  }
}
