import type { ChangeFrame } from "@carrel/contracts";
import i18next from "i18next";
import "../../../lib/local-models.ts";
import { toast } from "../../../lib/toast.ts";

/** Says that a model's download has ended, wherever the admin is by then. */
export async function announceModel({
  name,
  outcome,
  inUse,
}: Extract<ChangeFrame, { type: "local-models.changed" }>): Promise<void> {
  await i18next.loadNamespaces("local-models");
  if (outcome === "failed") toast.error(i18next.t("local-models:failed", { name }));
  else toast.success(i18next.t(inUse ? "local-models:inUseNow" : "local-models:ready", { name }));
}
