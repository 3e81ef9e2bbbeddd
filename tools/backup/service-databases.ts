import { authService } from "@carrel/auth";
import { chatService } from "@carrel/chat";
import { connectorsService } from "@carrel/connectors";
import type { ServiceDatabase } from "@carrel/database";
import { ingestService } from "@carrel/ingest";
import { syncWorkerService } from "@carrel/sync-worker";
import { workspaceService } from "@carrel/workspace";

/** Everything that Carrel keeps in PostgreSQL. */
export const databases: readonly ServiceDatabase[] = [
  authService,
  workspaceService,
  ingestService,
  connectorsService,
  syncWorkerService,
  chatService,
].map((service) => service.database!);
