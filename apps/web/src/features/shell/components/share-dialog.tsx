import {
  createShare,
  getShare,
  shareAudiences,
  shareLifetimes,
  updateShare,
  type Args,
  type ShareAudience,
  type ShareWire,
  type SharingLimit,
} from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Link2Off } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { RevokeShareDialog } from "../../../components/revoke-share-dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldLabel, Select, labelStyles } from "../../../components/ui/field.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { call } from "../../../lib/api.ts";
import { useRights } from "../../../lib/current-user.ts";
import { formatTime } from "../../../lib/format.ts";
import { shareKeys } from "../../../lib/share.ts";
import { toast } from "../../../lib/toast.ts";

/** In days; null: never expires. */
type Lifetime = (typeof shareLifetimes)[number] | null;

const kept = "kept";
const never = "never";

/**
 * Who can open a link, for how long, and what it shows: `lifetime` for a new link, or `expiry` for
 * an existing one.
 */
function ShareFields({
  sharing,
  audience,
  onAudience,
  lifetime,
  expiry,
  onLifetime,
  reasoning,
  onReasoning,
}: {
  sharing: SharingLimit;
  audience: ShareAudience;
  onAudience: (audience: ShareAudience) => void;
  lifetime?: Lifetime;
  expiry?: Pick<ShareWire, "expiresAt" | "isExpired">;
  onLifetime: (lifetime: Lifetime) => void;
  reasoning: boolean;
  onReasoning: (reasoning: boolean) => void;
}) {
  const { t } = useTranslation("share");
  const { multiUser } = useRights();
  const id = useId();
  const expiresAt = expiry?.expiresAt ?? null;
  const time = expiresAt === null ? "" : formatTime(Date.parse(expiresAt));
  return (
    <>
      <Field className="justify-items-start">
        <span className={labelStyles}>{t("audience")}</span>
        {!multiUser ? (
          <p className="text-fg-2">{t(audience === "team" ? "instance" : "anyone")}</p>
        ) : sharing === "team" ? (
          <p className="text-fg-2">{t("teamOnly")}</p>
        ) : (
          <Segmented
            label={t("audience")}
            value={audience}
            options={shareAudiences.map((value) => ({ value, label: t(value) }))}
            onChange={onAudience}
          />
        )}
      </Field>
      <Field>
        <FieldLabel htmlFor={id}>{t("expires")}</FieldLabel>
        <Select
          id={id}
          className="max-w-60 max-md:max-w-none"
          value={expiresAt === null ? String(lifetime ?? never) : kept}
          onChange={({ target }) =>
            onLifetime(shareLifetimes.find((days) => String(days) === target.value) ?? null)
          }
        >
          {expiresAt !== null && (
            <option value={kept}>{expiry?.isExpired ? t("expired", { time }) : time}</option>
          )}
          {shareLifetimes.map((days) => (
            <option key={days} value={days}>
              {t("inDays", { count: days })}
            </option>
          ))}
          <option value={never}>{t("never")}</option>
        </Select>
      </Field>
      <label className="flex items-start gap-3">
        <Checkbox checked={reasoning} onChange={({ target }) => onReasoning(target.checked)} />
        <span className="min-w-0">
          <span className="block">{t("reasoning")}</span>
          <span className="block text-fg-2">{t("reasoningHelp")}</span>
        </span>
      </label>
    </>
  );
}

/** Always refetched when opened, because the thread may have changed since. */
const shareQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: shareKeys.ofThread(slug, threadSlug),
    staleTime: 0,
    queryFn: ({ signal }) => call(getShare, { slug, thread: threadSlug }, { signal }),
  });

/** Returns the link. The server shows its token only once, so the cache drops it too. */
const useCreateShare = (slug: string, threadSlug: string | null) =>
  useMutation({
    mutationFn: async (link: {
      audience: ShareAudience;
      expiresInDays: Args<typeof createShare>["expiresInDays"];
      showReasoning: boolean;
    }): Promise<string> => {
      const { token } = await call(createShare, { slug, thread: threadSlug, ...link });
      return `${location.origin}/share/${token}`;
    },
    gcTime: 0,
    meta: { invalidates: [shareKeys.all], errorToast: false },
  });

const useUpdateShare = () =>
  useMutation({
    mutationFn: (change: Args<typeof updateShare>) => call(updateShare, change),
    meta: {
      invalidates: [shareKeys.all],
      errorToast: (message) => i18next.t("share:saveFailed", { message }),
    },
  });

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
