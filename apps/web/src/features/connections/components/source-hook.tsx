import type { createHook, Out } from "@carrel/contracts";
import { TriangleAlert, Webhook } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { useCreateHook, useRemoveHook } from "../../../lib/watches.ts";
import { SourceFact } from "./source-page-parts.tsx";

/** Kinds of sources that can announce changes. */
const guided = ["github", "gitlab", "gitea", "jira"] as const;
type Guided = (typeof guided)[number];

/** How a watched source announces its changes; nothing for sources that can't. */
export function SourceHook({
  slug,
  connectionId,
  connector: { id, label },
  hasHook,
  mayChange,
}: {
  slug: string;
  connectionId: string;
  connector: { id: string; label: string };
  hasHook: boolean;
  mayChange: boolean;
}) {
  const { t } = useTranslation("connections");
  const create = useCreateHook();
  const remove = useRemoveHook();
  const [asks, setAsks] = useState<"replace" | "remove" | null>(null);
  const [made, setMade] = useState<Out<typeof createHook> | null>(null);
  const guide = guided.find((each) => each === id);
  if (guide === undefined) return null;
  const source = { slug, connectionId };
  const set = async (): Promise<void> => setMade(await create.mutateAsync(source));
  return (
    <>
      <SourceFact
        icon={Webhook}
        tone={hasHook ? "accent" : "neutral"}
        title={t("hook.title")}
        buttons={
          mayChange &&
          (hasHook ? (
            <>
              <Button onClick={() => setAsks("replace")}>{t("hook.replace")}</Button>
              <Button onClick={() => setAsks("remove")}>{t("hook.remove")}</Button>
            </>
          ) : (
            // A failure is a toast.
            <Button disabled={create.isPending} onClick={() => void set().catch(() => undefined)}>
              {t("hook.add")}
            </Button>
          ))
        }
      >
        <p>{t(hasHook ? "hook.on" : "hook.off", { name: label })}</p>
      </SourceFact>
      {asks !== null && (
        <ConfirmDialog
          open
          title={t(`hook.${asks}Title`)}
          text={t(`hook.${asks}Text`, { name: label })}
          action={t(`hook.${asks}`)}
          onConfirm={asks === "replace" ? set : () => remove.mutateAsync(source)}
          onClose={() => setAsks(null)}
        />
      )}
      {made && <HookDialog guide={guide} name={label} hook={made} onClose={() => setMade(null)} />}
    </>
  );
}

/** The address and the secret of a new webhook, and where they go. Only its button closes it. */
function HookDialog({
  guide,
  name,
  hook: { path, secret },
  onClose,
}: {
  guide: Guided;
  name: string;
  hook: Out<typeof createHook>;
  onClose: () => void;
}) {
  const { t } = useTranslation("connections");
  return (
    <Dialog
      open
      onClose={() => undefined}
      title={t("hook.dialogTitle", { name })}
      description={t("hook.dialogText", { name, host: location.host })}
    >
      <SecretOnce label={t("hook.address")} value={`${location.origin}${path}`} />
      <SecretOnce label={t("hook.secret")} value={secret} />
      <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
        <p>
          <b>{t("hook.once")}</b> {t("hook.onceText")}
        </p>
      </Notice>
      <section className="grid grid-cols-1 gap-1.5">
        <h3 className="font-medium">{t("hook.steps")}</h3>
        <ol className="grid list-decimal grid-cols-1 gap-1 ps-5 text-fg-2 marker:text-fg-3">
          {(["open", "paste", "events"] as const).map((step) => (
            <li key={step}>{t(`hook.${guide}.${step}`)}</li>
          ))}
        </ol>
      </section>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t("hook.done")}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
