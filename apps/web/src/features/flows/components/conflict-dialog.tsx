import { clipText } from "@carrel/contracts/clip-text";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import { savedFlowQuery, saveFlow } from "../api/flows.ts";
import { keepDraft } from "../state/content.ts";
import { useScope } from "./builder-context.ts";
import { FlowOutline } from "./flow-outline.tsx";

/** Someone saved the flow in the meantime: their version, a copy of this one, or this one over it. */
export function ConflictDialog({ onCopied }: { onCopied: (id: string) => void }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const [isLooking, setLooking] = useState(false);
  const { flowId, content } = builder;
  const { data: theirs, error: loadError } = useQuery(savedFlowQuery(flowId ?? ""));
  const copy = useSubmission(async () => {
    const name = t("list.copyName", { name: clipText(content.name.trim(), 180) });
    const { id } = await saveFlow(null, { ...content, name });
    await keepDraft(flowId, null);
    builder.closeConflict();
    toast.success(t("list.duplicated", { name }));
    onCopied(id);
  });
  const overwrite = useSubmission(async () => {
    if (theirs && (await builder.save(content, theirs.version))) toast.success(t("builder.saved"));
  });
  const busy = copy.busy || overwrite.busy;
  const error = copy.error ?? overwrite.error ?? loadError;
  return (
    <Dialog
      open
      onClose={builder.closeConflict}
      title={t("conflict.title")}
      description={t("conflict.text")}
    >
      {error && (
        <Notice kind="bad">
          <p>{error.message}</p>
        </Notice>
      )}
      {isLooking && theirs && (
        <section
          className="max-h-72 overflow-auto rounded-md border border-line p-3"
          aria-label={t("conflict.theirs")}
          tabIndex={0}
        >
          <FlowOutline content={theirs} />
        </section>
      )}
      <DialogFooter className="flex-wrap">
        <Button
          variant="quiet"
          className="md:me-auto"
          disabled={!isLooking && !theirs}
          onClick={() => (isLooking ? builder.closeConflict() : setLooking(true))}
        >
          {t(isLooking ? "problem.keepEditing" : "conflict.look")}
        </Button>
        <Button disabled={busy || !theirs} onClick={() => overwrite.submit(undefined)}>
          {t("conflict.overwrite")}
        </Button>
        <Button variant="primary" disabled={busy} onClick={() => copy.submit(undefined)}>
          {t("conflict.copy")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
