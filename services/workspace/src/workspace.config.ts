import type { z } from "zod";
import { presetShape } from "./setting/setting-preset.ts";

/** This service's variables: `CARREL_SETTING_<Key>` for each setting. */
export const workspaceShape: z.ZodRawShape = { ...presetShape };
