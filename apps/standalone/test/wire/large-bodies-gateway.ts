/**
 * The gateway in a separate process, started by large-bodies.int-spec.ts: collecting the garbage of
 * a whole Jest process can take longer than the limit that the test checks.
 */
import {
  CarrelError,
  findLocalFiles,
  moveLibraryFiles,
  registerDocument,
  removeDocuments,
  startGeneration,
} from "@carrel/contracts";
import { startGatewayInstance } from "./gateway-instance.ts";

export type GatewayCommand = "watch" | "report" | "stop";
/** CPU time of the longest turn of the event loop since `watch`. */
export interface GatewayReport {
  url: string;
  longestMs: number;
}

const instance = await startGatewayInstance();
instance.chat.answer(startGeneration, {
  generationId: null,
  chatId: null,
  queued: false,
  frames: [],
});
instance.ingest
  .answer(findLocalFiles, { documents: [] })
  .answer(moveLibraryFiles, { moved: 0, held: 0, failed: 0 })
  .answer(removeDocuments, undefined)
  .answer(registerDocument, (() => {
    throw new CarrelError("request.queue-full");
  }) as never);

let longestMs = 0;
let isWatching = false;
let before = process.threadCpuUsage();
function watchTurn(): void {
  // CPU time rather than elapsed time, because other processes can't add to it.
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longestMs = Math.max(longestMs, (user + system) / 1000);
  if (isWatching) setImmediate(watchTurn);
}
const report = (): void => {
  process.send!({ url: instance.url, longestMs } satisfies GatewayReport);
};

process.on("message", (command: GatewayCommand) => {
  if (command === "watch") {
    isWatching = true;
    setImmediate(() => {
      before = process.threadCpuUsage();
      longestMs = 0;
      setImmediate(watchTurn);
      report();
    });
  } else if (command === "report") {
    isWatching = false;
    report();
  } else void instance.stop().then(() => process.disconnect());
});
report();
