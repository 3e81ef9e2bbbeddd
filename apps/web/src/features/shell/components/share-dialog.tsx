import "../../../lib/share-texts.ts";
import type { ShareAudience, ShareWire, SharingLimit } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link2Off } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RevokeShareDialog } from "../../../components/revoke-share-dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SecretOnce } from "../../../components/ui/secret-once.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { toast } from "../../../lib/toast.ts";
import { shareQuery, useCreateShare, useUpdateShare } from "../api/shares.ts";
import { ShareFields, type Lifetime } from "./share-fields.tsx";

/** Creates, changes and revokes the link to a thread; `threadSlug` null: the default thread. */
export default function ShareDialog({
  slug,
  threadSlug,
  onClose,
}: {
  slug: string;
  threadSlug: string | null;
  onClose: () => void;
}) {
  const { t } = useTranslation("share");
  const query = useQuery(shareQuery(slug, threadSlug));
  const create = useCreateShare(slug, threadSlug);
  const [replacing, setReplacing] = useState(false);
  const found = query.data;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("title")}
      description={t("text")}
      className="w-[min(560px,100vw-24px)]"
    >
      {create.isSuccess ? (
        <>
          <SecretOnce label={t("link")} value={create.data} />
          <p className="text-fg-2">{t("once")}</p>
          <DialogFooter>
            <Button variant="primary" onClick={onClose}>
              {t("done")}
            </Button>
          </DialogFooter>
        </>
      ) : query.error ? (
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      ) : !found ? (
        <div className="grid gap-4" role="status" aria-busy="true" aria-label={t("loading")}>
          <Skeleton style={{ inlineSize: "70%" }} />
          <Skeleton style={{ inlineSize: "45%" }} />
        </div>
      ) : found.share && !replacing ? (
        <ExistingLink
          share={found.share}
          sharing={found.sharing}
          onReplace={() => setReplacing(true)}
          onClose={onClose}
        />
      ) : found.sharing === "off" ? (
        <Notice>
          <p>{t("off")}</p>
        </Notice>
      ) : (
        <NewLink
          sharing={found.sharing}
          error={create.error}
          busy={create.isPending}
          onCreate={create.mutate}
          onCancel={replacing ? () => setReplacing(false) : onClose}
        />
      )}
    </Dialog>
  );
}

function NewLink({
  sharing,
  error,
  busy,
  onCreate,
  onCancel,
}: {
  sharing: SharingLimit;
  error: Error | null;
  busy: boolean;
  onCreate: (link: {
    audience: ShareAudience;
    expiresInDays: Lifetime;
    showReasoning: boolean;
  }) => void;
  onCancel: () => void;
}) {
  const { t } = useTranslation("share");
  const { multiUser } = useRights();
  const [audience, setAudience] = useState<ShareAudience>(
    multiUser || sharing === "team" ? "team" : "anyone",
  );
  const [expiresInDays, setLifetime] = useState<Lifetime>(30);
  const [showReasoning, setShowReasoning] = useState(true);
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onCreate({ audience, expiresInDays, showReasoning });
      }}
    >
      <ShareFields
        sharing={sharing}
        audience={audience}
        onAudience={setAudience}
        lifetime={expiresInDays}
        onLifetime={setLifetime}
        reasoning={showReasoning}
        onReasoning={setShowReasoning}
      />
      {error && (
        <Notice kind="bad">
          <p>{t("createFailed", { message: error.message })}</p>
        </Notice>
      )}
      <DialogFooter>
        <Button variant="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button type="submit" variant="primary" disabled={busy}>
          {busy ? t("creating") : t("create")}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** The thread's link; changes apply immediately. */
function ExistingLink({
  share,
  sharing,
  onReplace,
  onClose,
}: {
  share: ShareWire;
  sharing: SharingLimit;
  onReplace: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("share");
  const update = useUpdateShare();
  const [revoking, setRevoking] = useState(false);
  const change = (fields: {
    audience?: ShareAudience;
    expiresInDays?: Lifetime;
    showReasoning?: boolean;
  }): void => {
    if (!update.isPending)
      update.mutate({ id: share.id, ...fields }, { onSuccess: () => toast.success(t("saved")) });
  };
  const isOff = sharing === "off";
  return (
    <>
      {isOff ? (
        <Notice kind="warn">
          <p>{t("offExisting")}</p>
        </Notice>
      ) : (
        <>
          <ShareFields
            sharing={sharing}
            audience={share.audience}
            onAudience={(audience) => change({ audience })}
            expiry={share}
            onLifetime={(expiresInDays) => change({ expiresInDays })}
            reasoning={share.showReasoning}
            onReasoning={(showReasoning) => change({ showReasoning })}
          />
          <Notice
            action={
              share.isCurrent ? null : (
                <Button
                  size="sm"
                  disabled={update.isPending}
                  onClick={() =>
                    update.mutate(
                      { id: share.id, refresh: true },
                      { onSuccess: () => toast.success(t("updated")) },
                    )
                  }
                >
                  {t("update")}
                </Button>
              )
            }
          >
            <p>{share.isCurrent ? t("current") : t("changed")}</p>
          </Notice>
          <p className="text-xs text-fg-3">{t("replaceHelp")}</p>
        </>
      )}
      <DialogFooter>
        <Button variant="quiet" className="md:me-auto" onClick={() => setRevoking(true)}>
          <Link2Off className="size-3.5 stroke-2" aria-hidden="true" />
          {t("revoke")}
        </Button>
        {!isOff && <Button onClick={onReplace}>{t("replace")}</Button>}
        <Button variant="primary" onClick={onClose}>
          {t("done")}
        </Button>
      </DialogFooter>
      {revoking && (
        <RevokeShareDialog id={share.id} onClose={() => setRevoking(false)} onRevoked={onClose} />
      )}
    </>
  );
}
