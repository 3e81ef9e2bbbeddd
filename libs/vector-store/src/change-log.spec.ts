import { appendFile, mkdtemp, readdir, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { arrow } from "./arrow.ts";
import { ChangeLog, type LogPosition, type LoggedChange } from "./change-log.ts";
import { makeBatch } from "./lance-table.ts";

const schema = new arrow.Schema([new arrow.Field("id", new arrow.Utf8(), false)]);
/** A change that adds one row of this many bytes. */
const added = (version: number, bytes = 10): LoggedChange => {
  const batch = makeBatch(schema, [
    { id: "x".repeat(bytes), workspace_id: 1, document_id: "d", version: 1 },
  ]);
  return {
    from: version,
    to: version + 1,
    change: { kind: "added", rows: 1, isReplacing: false, read: () => batch },
  };
};
const deleted = (version: number): LoggedChange => ({
  from: version,
  to: version + 1,
  change: { kind: "deleted", workspaceId: 1, documentIds: ["d"], exceptVersion: 2 },
});

let folder: string;
let log: ChangeLog;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carrel-changes-"));
  log = new ChangeLog(join(folder, "table"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const versions = async (from: LogPosition): Promise<number[] | undefined> =>
  (await log.read(from))?.changes.map(({ to }) => to);

describe("a log of changes", () => {
  it("gives each reader what was written after its position", async () => {
    const start = await log.end();
    expect(await versions(start)).toEqual([]);
    const first = await log.append(start, added(1));
    const second = await log.append(first, deleted(2));
    expect(await new ChangeLog(join(folder, "table")).end()).toEqual(second);
    const found = (await log.read(start))!;
    expect(found.position).toEqual(second);
    expect(found.changes[1]).toEqual(deleted(2));
    const [{ change }] = found.changes as [LoggedChange];
    if (change.kind !== "added") throw new Error(change.kind);
    expect([change.rows, change.isReplacing]).toEqual([1, false]);
    expect(change.read().getChild("id")?.get(0)).toBe("x".repeat(10));
    expect(await versions(first)).toEqual([3]);
    // Another process has written: this one must read that first, then its own.
    expect(await log.append(first, deleted(3))).toEqual(first);
    expect(await versions(first)).toEqual([3, 4]);
  });

  it("goes on in other files, and forgets old ones", async () => {
    const start = await log.end();
    let position = start;
    const positions: LogPosition[] = [];
    for (let version = 0; version < 14; version++) {
      positions.push(position);
      position = await log.append(position, added(version, 3e6));
    }
    expect(position.file).toBe(5);
    expect(await readdir(join(folder, "table"))).toEqual(["2", "3", "4", "5"]);
    expect(await log.read(start)).toBeNull();
    expect(await versions(positions[4]!)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    expect(await new ChangeLog(join(folder, "table")).end()).toEqual(position);
  });

  it("passes over an entry that was cut off once another process writes", async () => {
    const start = await log.end();
    const first = await log.append(start, added(1));
    await log.append(first, added(2));
    const file = join(folder, "table", "1");
    await truncate(file, (await stat(file)).size - 5);
    expect(await log.read(start)).toMatchObject({ position: first });
    expect(await versions(start)).toEqual([2]);
    await log.append(first, added(7));
    expect(await versions(start)).toEqual([2, 8]);
    // Damaged, as after a power failure.
    await appendFile(join(folder, "table", "2"), Buffer.alloc(100));
    const { position } = (await log.read(start))!;
    await log.append(position, added(9));
    expect(await versions(start)).toEqual([2, 8, 10]);
    await rm(join(folder, "table"), { recursive: true });
    expect(await log.read(start)).toBeNull();
  });
});
