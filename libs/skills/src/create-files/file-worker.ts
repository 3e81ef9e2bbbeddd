// Runs in a worker thread, which ends with it: writes one file.
import { getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { ToolError } from "../tool.ts";
import type { FileReply } from "./file-thread.ts";
import { writeFile, type FileJob } from "./write-file.ts";

/** As `nice` takes it. On Linux it applies to this thread alone: answers go first. */
const priority = 5;
if (process.platform === "linux" && getPriority() < priority) setPriority(priority);

async function reply(): Promise<FileReply> {
  try {
    const { bytes, about } = await writeFile(
      workerData as FileJob,
      // The thread is ended from outside.
      new AbortController().signal,
    );
    return { bytes, about };
  } catch (error) {
    if (error instanceof ToolError) return { message: error.message };
    throw error;
  }
}

parentPort!.postMessage(await reply());
