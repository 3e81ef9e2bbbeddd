import type { createHook, Out } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Eye, TriangleAlert, Webhook } from "lucide-react";
import { useState } from "react";
import "../../../components/live-sync/texts.ts";
import { useTranslation } from "react-i18next";
import { WatchDialog } from "../../../components/live-sync/watch-dialog.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { joinFacts, sentenceSpace } from "../../../lib/format.ts";
import { intervalWords, isInTrouble, watchWords } from "../../../lib/sync-words.ts";
import {
  useSyncNow,
  useWatchSource,
  watchesQuery,
  useCreateHook,
  useRemoveHook,
} from "../../../lib/watches.ts";
import { SourceFact, type ShownSource } from "./source-page-parts.tsx";

/** Whether a whole source is watched for changes; while live sync is off, how to turn it on. */
export function SourceSync({ slug, connection, connector }: ShownSource) {
  const { t } = useTranslation("live-sync");
  const { data } = useQuery(watchesQuery(slug));
  const watching = useWatchSource();
  const sync = useSyncNow();
  const [isOpen, setOpen] = useState(false);
  const { admin } = useRights();
  if (data === undefined) return null;
  if (!data.enabled)
    return connection.mayChange ? (
      <SourceFact
        icon={Eye}
        tone="neutral"
        title={t("source.title")}
        buttons={
          admin && (
            <Link className={buttonStyles()} to="/settings/$" params={{ _splat: "beta-features" }}>
              {t("source.enable")}
            </Link>
          )
        }
      >
        <p>{t(admin ? "source.disabled" : "source.disabledAsk")}</p>
      </SourceFact>
    ) : null;
  const watch = data.watches.find(
    ({ document, connectionId }) => document === null && connectionId === connection.id,
  );
  const watchIt = (): void => watching.mutate({ slug, connectionId: connection.id, watched: true });
  const inTrouble = watch !== undefined && isInTrouble(watch);
  return (
    <>
      <SourceFact
        icon={inTrouble ? TriangleAlert : Eye}
        tone={inTrouble ? "warning" : watch ? "accent" : "neutral"}
        title={t("source.title")}
        buttons={
          connection.mayChange &&
          (watch ? (
            <>
              {watch.state === "stopped" && (
                <Button disabled={watching.isPending} onClick={watchIt}>
                  {t("watchAgain")}
                </Button>
              )}
              {watch.state === "waiting" && (
                <Button
                  disabled={sync.isPending}
                  onClick={() => sync.mutate({ slug, watchId: watch.id })}
                >
                  {t("syncNow")}
                </Button>
              )}
              <Button onClick={() => setOpen(true)}>{t("settings")}</Button>
            </>
          ) : (
            <Button disabled={watching.isPending} onClick={watchIt}>
              {t("source.watch")}
            </Button>
          ))
        }
      >
        <p>
          {watch
            ? joinFacts([
                watchWords(watch),
                watch.state !== "stopped" &&
                  t(watch.connector === "folder" ? "source.everyAndSoon" : "source.every", {
                    text: intervalWords(watch.intervalSeconds),
                  }),
              ])
            : t("source.off")}
        </p>
      </SourceFact>
      {watch && connector && (
        <SourceHook
          slug={slug}
          connectionId={connection.id}
          connector={connector}
          hasHook={watch.hasHook}
          mayChange={connection.mayChange}
        />
      )}
      {isOpen && watch && (
        <WatchDialog
          slug={slug}
          watch={watch}
          defaultInterval={data.defaultIntervalSeconds}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** Kinds of sources that can announce changes. */
const guided = ["github", "gitlab", "gitea", "jira"] as const;
type Guided = (typeof guided)[number];

/** How a watched source announces its changes; nothing for sources that can't. */
function SourceHook({
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
          <b>{t("hook.once")}</b>
          {sentenceSpace()}
          {t("hook.onceText")}
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
