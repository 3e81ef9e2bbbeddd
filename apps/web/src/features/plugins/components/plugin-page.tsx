import type { PluginDetail, PluginPermissions } from "@carrel/contracts";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApprovalRule } from "../../../components/approval-rule.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FormSection, PageBody } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { preferencesQuery } from "../../../lib/agent-preferences.ts";
import { cn } from "../../../lib/cn.ts";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { pluginQuery, useDeletePlugin, useTogglePlugin } from "../api/plugins.ts";
import { ArgumentsForm } from "./arguments-form.tsx";
import { FilesViewer } from "./files-viewer.tsx";
import { PermissionsDialog } from "./permissions-dialog.tsx";
import { TrialForm } from "./trial-form.tsx";

/** One plugin: what it is, may do and gets, and a trial. */
export function PluginPage({ hubId }: { hubId: string }) {
  const { t } = useTranslation("plugins");
  const { data: plugin } = useSuspenseQuery(pluginQuery(hubId));
  const { data: preferences } = useQuery(preferencesQuery);
  const [dialog, setDialog] = useState<"permissions" | "delete" | null>(null);
  const navigate = useNavigate();
  const toggle = useTogglePlugin();
  const remove = useDeletePlugin();
  const { name, active, review, granted } = plugin;
  const close = (): void => setDialog(null);
  return (
    <PageBody inside="split">
      <div className="grid max-w-[760px] grid-cols-1 gap-8">
        <Head plugin={plugin} />
        {review !== "confirmed" ? (
          <Notice
            kind="warn"
            action={
              <Button variant="primary" onClick={() => setDialog("permissions")}>
                {t("reviewAction")}
              </Button>
            }
          >
            <p className="font-medium">{t("reviewTitle")}</p>
            <p>{t(review === "new" ? "reviewNew" : "reviewChanged")}</p>
          </Notice>
        ) : (
          <SwitchLine
            label={t("active", { name })}
            on={active}
            busy={toggle.isPending}
            onChange={(on) => toggle.mutate({ hubId, active: on })}
          />
        )}
        {granted !== null && (
          <FormSection
            title={t("permissions.title")}
            help={
              plugin.confirmedAt !== null &&
              t("permissions.confirmedAt", { when: formatAgo(plugin.confirmedAt) })
            }
          >
            <Granted permissions={granted} />
            <Button className="justify-self-start" onClick={() => setDialog("permissions")}>
              {t("permissions.change")}
            </Button>
          </FormSection>
        )}
        {plugin.arguments.length > 0 && <ArgumentsForm key={plugin.hash} plugin={plugin} />}
        {granted !== null && <TrialForm key={`${plugin.hash} trial`} plugin={plugin} />}
        {preferences !== undefined && (
          <ApprovalRule skill={`@@${hubId}`} name={name} preferences={preferences} />
        )}
        <FilesViewer key={`${plugin.hash} files`} plugin={plugin} />
        <div className="border-t border-subtle pt-6">
          <Button variant="danger-outline" onClick={() => setDialog("delete")}>
            <Trash2 className="size-3.5 stroke-2" aria-hidden="true" />
            {t("delete")}
          </Button>
        </div>
      </div>
      {dialog === "permissions" && <PermissionsDialog plugin={plugin} onClose={close} />}
      {dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name })}
          text={t("deleteText")}
          action={t("delete")}
          onClose={close}
          onConfirm={async () => {
            await remove.mutateAsync(hubId);
            toast.success(t("deleted"));
            await navigate({ to: "/settings/agents", search: { view: "plugins" } });
          }}
        />
      )}
    </PageBody>
  );
}

function Head({ plugin }: { plugin: PluginDetail }) {
  const { t } = useTranslation("plugins");
  const { name, description, version, author, authorUrl, license, source } = plugin;
  const address = URL.parse(authorUrl);
  const isLink = address !== null && /^https?:$/.test(address.protocol);
  const facts = [
    version !== "" && t("version", { version }),
    author !== "" &&
      (isLink ? (
        <a
          key="author"
          className={linkStyles}
          href={address.href}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t("by", { author })}
        </a>
      ) : (
        t("by", { author })
      )),
    license !== "" && t("license", { license }),
    t(`source.${source}`),
  ].filter(Boolean);
  return (
    <header className="grid grid-cols-1 gap-1">
      <Link
        className={cn(
          linkStyles,
          "inline-flex items-center gap-1.5 justify-self-start max-md:min-h-11",
        )}
        to="/settings/agents"
        search={{ view: "plugins" }}
      >
        <ArrowLeft className="size-4 rtl:-scale-x-100" aria-hidden="true" />
        {t("back")}
      </Link>
      <h2 className="mt-1 text-lg font-semibold wrap-anywhere">{name}</h2>
      {description !== "" && <p className="text-fg-2 wrap-anywhere">{description}</p>}
      <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-fg-3">
        {facts.map((fact, n) => (
          <span key={n}>{fact}</span>
        ))}
      </p>
    </header>
  );
}

function Granted({ permissions: { hosts, storage, secrets } }: { permissions: PluginPermissions }) {
  const { t } = useTranslation("plugins");
  if (hosts.length === 0 && !storage && secrets.length === 0)
    return <p className="text-fg-2">{t("permissions.none")}</p>;
  return (
    <dl className="grid grid-cols-1 gap-3">
      {hosts.length > 0 && <Fact title={t("permissions.hosts")}>{hosts}</Fact>}
      {secrets.length > 0 && <Fact title={t("permissions.secrets")}>{secrets}</Fact>}
      {storage && (
        <div>
          <dt className="text-xs text-fg-3">{t("permissions.storage")}</dt>
          <dd className="text-fg-2">{t("permissions.storageHelp")}</dd>
        </div>
      )}
    </dl>
  );
}

function Fact({ title, children }: { title: ReactNode; children: readonly string[] }) {
  return (
    <div>
      <dt className="text-xs text-fg-3">{title}</dt>
      {children.map((each) => (
        <dd key={each} className="font-mono text-sm wrap-anywhere" dir="ltr">
          {each}
        </dd>
      ))}
    </div>
  );
}
