import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  anchorRecord,
  ChainFault,
  NotAnExportError,
  readLines,
  readPublicKey,
  verifyExport,
  type Anchor,
  type ExportReport,
  type PublicKey,
} from "@carrel/workspace/event-chain";

const usage = `Usage: ./carrel audit verify <file> [--key <public key, its fingerprint, or a file with it>] [--anchors <file>]

Verifies an export of the event log (Settings > Event log > Export > Verifiable log)
without a database or a network. --key and --anchors may be repeated.

--anchors takes copies of the anchors, such as audit/anchors.jsonl of the data folder: all of them
must be in the log and signed by its keys.

Exit codes: 0 verified, 1 not verified, 2 not an export or wrong arguments.`;

/** Wrong arguments, or a file that can't be read. */
class UsageError extends Error {
  override readonly name = "UsageError";
}

async function readKey(text: string): Promise<PublicKey | string> {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  const key = readPublicKey(text) ?? readPublicKey(await readFile(text, "utf8").catch(() => ""));
  if (key === null)
    throw new UsageError(
      `${text} is neither an Ed25519 public key, nor a fingerprint, nor a file with a key`,
    );
  return key;
}

async function readAnchors(file: string): Promise<Anchor[]> {
  const anchors: Anchor[] = [];
  for await (const line of readLines(createReadStream(file))) {
    if (line.trim() === "") continue;
    try {
      anchors.push(anchorRecord.parse(JSON.parse(line)));
    } catch {
      throw new UsageError(`${file} contains a line that isn't an anchor: ${line.slice(0, 100)}`);
    }
  }
  return anchors;
}

function describe(report: ExportReport, isPinned: boolean): string[] {
  const { first, last, lastAnchor, lastCheckpoint } = report;
  const rows: [string, string][] = [
    ["Instance", report.instance],
    ["Exported", report.exportedAt],
    [
      "Entries",
      first === null
        ? "0"
        : `${report.events} (${first.sequence} to ${last!.sequence}, ${first.occurredAt} to ${last!.occurredAt})`,
    ],
    [
      "Checkpoint",
      lastCheckpoint === null
        ? "none, the log is complete from its first entry"
        : `entries up to ${lastCheckpoint.sequence} were removed on ${lastCheckpoint.signedAt} (${lastCheckpoint.reason === "cleared" ? "log cleared" : "retention"})`,
    ],
    [
      "Anchors",
      `${report.anchors}${lastAnchor === null ? "" : `, the last of ${lastAnchor.day} at entry ${lastAnchor.sequence}`}`,
    ],
    ...(report.outsideAnchors > 0
      ? [["Your anchors", `${report.outsideAnchors} match`] as [string, string]]
      : []),
    ["Signed by", report.keys.map((key) => `SHA-256 ${key}`).join("\n              ")],
  ];
  return [
    "Verified: no entry was changed, inserted, removed or reordered.",
    ...rows.map(([name, value]) => `${`${name}:`.padEnd(13)} ${value}`),
    ...(isPinned
      ? []
      : [
          "",
          "The key comes from the file itself. Compare its fingerprint with the one in Settings > Event log,",
          "or pass it with --key: only then is it proved that this instance made the export.",
        ]),
  ];
}

async function verify(parameters: readonly string[]): Promise<string[]> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      key: { type: "string", multiple: true },
      anchors: { type: "string", multiple: true },
      help: { type: "boolean" },
    },
  });
  const [command, file, ...rest] = positionals;
  if (values.help === true) return [usage];
  if (command !== "verify" || file === undefined || rest.length > 0) throw new UsageError(usage);
  const trusted = values.key && (await Promise.all(values.key.map(readKey)));
  const outsideAnchors = (await Promise.all((values.anchors ?? []).map(readAnchors))).flat();
  const report = await verifyExport(createReadStream(file), { trusted, outsideAnchors });
  return describe(report, trusted !== undefined);
}

const isFileError = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && "code" in error;
const isArgumentError = (error: unknown): error is Error =>
  error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

try {
  for (const line of await verify(process.argv.slice(2))) process.stdout.write(`${line}\n`);
} catch (error) {
  if (error instanceof ChainFault) {
    const where = [
      ...(error.line === null ? [] : [`line ${error.line}`]),
      ...(error.sequence === null ? [] : [`entry ${error.sequence}`]),
    ];
    process.stdout.write(
      `NOT VERIFIED${where.length > 0 ? ` (${where.join(", ")})` : ""}: ${error.message}.\n`,
    );
    process.exitCode = 1;
  } else if (
    error instanceof NotAnExportError ||
    error instanceof UsageError ||
    isFileError(error) ||
    isArgumentError(error)
  ) {
    process.stderr.write(
      `${error instanceof NotAnExportError ? "This isn't an export of Carrel's event log (JSON Lines, which begin with a header)." : error.message}\n`,
    );
    process.exitCode = 2;
  } else throw error;
}
