import { maxMaxToolCalls } from "@carrel/contracts";
import { z } from "zod";
import { presetShape } from "./setting/setting-store.ts";

const webAddress = z.url({ protocol: /^https?$/ }).optional();

/** This service's variables, and `CARREL_SETTING_<Key>` for each setting. */
export const workspaceShape = {
  ...presetShape,
  /** Where the first-run wizard's survey is sent when somebody presses Send; unset: nowhere. */
  CARREL_SURVEY_URL: webAddress,
  /** Where a daily report is sent if an admin has turned telemetry on; unset: nowhere. */
  CARREL_TELEMETRY_URL: webAddress,
  /** Maximum number of tool calls in one answer, unless an admin has set another (wire-contract 5.7). */
  AGENT_MAX_TOOL_CALLS: z.coerce.number().int().min(1).max(maxMaxToolCalls).optional(),
} satisfies z.ZodRawShape;

export type WorkspaceConfig = Readonly<{
  CARREL_SURVEY_URL?: string | undefined;
  CARREL_TELEMETRY_URL?: string | undefined;
  AGENT_MAX_TOOL_CALLS?: number | undefined;
}>;
