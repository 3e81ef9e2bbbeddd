import { flowTriggerKinds, type FlowTriggerKind, type FlowTriggerWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CopyField, SecretOnce } from "../../../components/ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { useCurrentUser } from "../../../lib/current-user.ts";
import { sharedFlowsQuery } from "../../../lib/shared-flows.ts";
import { toast } from "../../../lib/toast.ts";
import { triggersQuery, useDeleteTrigger, useRotateSecret } from "../api/triggers.ts";
import { allBlocks } from "../state/tree.ts";
import { exampleInputs, runAddress } from "../state/trigger-examples.ts";
import { useScope } from "./builder-context.ts";
import { Panel } from "./panel.tsx";
import { ApiExample, WebhookExample } from "./trigger-example.tsx";
import { TriggerForm } from "./trigger-form.tsx";

/** How other programs start the flow: by the API, or by a signed webhook. */
export function TriggersPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  return (
    <Panel title={t("trigger.title")} closeLabel={t("trigger.close")} onClose={onClose}>
      {builder.flowId === null ? (
        <p className="text-fg-3">{t("trigger.unsavedFlow")}</p>
      ) : (
        <Triggers flowId={builder.flowId} />
      )}
    </Panel>
  );
}

function Triggers({ flowId }: { flowId: string }) {
  const { t } = useTranslation("flows");
  const { builder, flows } = useScope();
  const query = useQuery(triggersQuery(flowId));
  const [secret, setSecret] = useState<string | null>(null);
  const isOff = flows.find(({ id }) => id === flowId)?.active === false;
  if (query.error)
    return (
      <FailedQuery error={query.error} retryLabel={t("retry")} retry={() => void query.refetch()} />
    );
  if (!query.data)
    return (
      <div className="grid gap-4" role="status" aria-busy="true" aria-label={t("loading")}>
        <Skeleton style={{ inlineSize: "60%" }} />
        <Skeleton style={{ inlineSize: "45%" }} />
      </div>
    );
  const hook = query.data.find(({ kind }) => kind === "webhook");
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-fg-2">{t("trigger.help")}</p>
      {isOff && (
        <Notice kind="warn">
          <p>{t("trigger.flowOff")}</p>
        </Notice>
      )}
      {builder.isChanged && (
        <Notice>
          <p>{t("trigger.unsavedChanges")}</p>
        </Notice>
      )}
      {flowTriggerKinds.map((kind) => (
        <Trigger
          key={kind}
          flowId={flowId}
          kind={kind}
          trigger={query.data.find((each) => each.kind === kind) ?? null}
          onSecret={setSecret}
        />
      ))}
      {secret !== null && (
        // Only its button closes it: the secret can't be shown again.
        <Dialog
          open
          onClose={() => undefined}
          title={t("trigger.secretTitle")}
          description={t("trigger.secretText")}
        >
          <SecretOnce label={t("trigger.secret")} value={secret} />
          {hook?.path != null && (
            <WebhookExample
              address={`${location.origin}${hook.path}`}
              inputs={exampleInputs(builder.content.steps)}
              secret={secret}
            />
          )}
          <Notice kind="warn" icon={<TriangleAlert aria-hidden="true" />}>
            <p>{t("trigger.secretOnce")}</p>
          </Notice>
          <DialogFooter>
            <Button variant="primary" onClick={() => setSecret(null)}>
              {t("trigger.done")}
            </Button>
          </DialogFooter>
        </Dialog>
      )}
    </div>
  );
}

function Trigger({
  flowId,
  kind,
  trigger,
  onSecret,
}: {
  flowId: string;
  kind: FlowTriggerKind;
  trigger: FlowTriggerWire | null;
  onSecret: (secret: string | null) => void;
}) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const [isAdding, setAdding] = useState(false);
  const shared = useQuery(sharedFlowsQuery).data?.find(({ id }) => id === flowId);
  const { steps } = builder.content;
  const searches =
    shared?.searches ?? allBlocks(steps).some(({ type }) => type === "carrel-search");
  return (
    <section
      className="grid grid-cols-1 gap-3 border-t border-subtle pt-4"
      aria-labelledby={`trigger-${kind}`}
    >
      <div>
        <h3 className="flex items-center gap-2 font-semibold">
          <span id={`trigger-${kind}`}>{t(`trigger.${kind}.title`)}</span>
          {trigger !== null && <Badge tone="success">{t("trigger.on")}</Badge>}
        </h3>
        <p className="text-fg-2">
          {t(`trigger.${kind}.help`)}
          {kind === "api" && (
            <>
              {" "}
              <Link className={linkStyles} to="/settings/api-keys">
                {t("trigger.api.keys")}
              </Link>
            </>
          )}
        </p>
      </div>
      {trigger !== null ? (
        <Existing flowId={flowId} trigger={trigger} searches={searches} onSecret={onSecret} />
      ) : isAdding ? (
        <TriggerForm
          flowId={flowId}
          kind={kind}
          trigger={null}
          searches={searches}
          onSaved={(secret) => {
            setAdding(false);
            onSecret(secret);
          }}
        >
          <Button variant="quiet" onClick={() => setAdding(false)}>
            {t("trigger.cancel")}
          </Button>
        </TriggerForm>
      ) : (
        <Button className="justify-self-start" onClick={() => setAdding(true)}>
          {t(`trigger.${kind}.setUp`)}
        </Button>
      )}
    </section>
  );
}

function Existing({
  flowId,
  trigger,
  searches,
  onSecret,
}: {
  flowId: string;
  trigger: FlowTriggerWire;
  searches: boolean;
  onSecret: (secret: string | null) => void;
}) {
  const { t } = useTranslation("flows");
  const { builder } = useScope();
  const user = useCurrentUser();
  const [asking, setAsking] = useState<"remove" | "rotate" | null>(null);
  const remove = useDeleteTrigger(flowId);
  const rotate = useRotateSecret(flowId);
  const { kind, path, owner } = trigger;
  const address = path === null ? runAddress(location.origin, flowId) : `${location.origin}${path}`;
  const inputs = exampleInputs(builder.content.steps);
  return (
    <>
      <CopyField label={t("trigger.address")} value={address} />
      {owner !== null && (
        <p className="text-xs text-fg-3">
          {owner.id === user?.id
            ? t("trigger.yourRights")
            : t("trigger.rightsOf", { name: owner.username })}
        </p>
      )}
      {kind === "api" ? (
        <ApiExample address={address} inputs={inputs} />
      ) : (
        <WebhookExample address={address} inputs={inputs} />
      )}
      <TriggerForm
        key={trigger.id}
        flowId={flowId}
        kind={kind}
        trigger={trigger}
        searches={searches}
        onSaved={onSecret}
      />
      <div className="flex flex-wrap gap-2">
        {kind === "webhook" && (
          <Button size="sm" onClick={() => setAsking("rotate")}>
            {t("trigger.rotate")}
          </Button>
        )}
        <Button size="sm" onClick={() => setAsking("remove")}>
          {t(`trigger.${kind}.remove`)}
        </Button>
      </div>
      {asking === "remove" && (
        <ConfirmDialog
          open
          title={t(`trigger.${kind}.removeTitle`)}
          text={t(`trigger.${kind}.removeText`)}
          action={t(`trigger.${kind}.remove`)}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await remove.mutateAsync(kind);
            toast.success(t("trigger.removed"));
          }}
        />
      )}
      {asking === "rotate" && (
        <ConfirmDialog
          open
          title={t("trigger.rotateTitle")}
          text={t("trigger.rotateText")}
          action={t("trigger.rotate")}
          onClose={() => setAsking(null)}
          onConfirm={() => rotate.mutateAsync(undefined, { onSuccess: onSecret })}
        />
      )}
    </>
  );
}
