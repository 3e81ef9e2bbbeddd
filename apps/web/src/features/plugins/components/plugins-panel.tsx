import type { Out, PluginSummary, listPlugins } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Store, Upload } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Switch } from "../../../components/ui/choices.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { FormSection, PageBody } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useHasHub } from "../../../lib/hub.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { toast } from "../../../lib/toast.ts";
import pluginTexts from "../../../locales/en/plugins.json" with { type: "json" };
import { pluginsQuery, useTogglePlugin, useUploadPlugin } from "../api/plugins.ts";
import { PluginPage } from "./plugin-page.tsx";

// Loaded with these pages, not with the first one.
addTexts("plugins", pluginTexts);

/** The plugins of the instance, or one of them, in the settings of agents. */
export default function PluginsPanel({
  back,
  plugin,
}: {
  back: ReactNode;
  plugin: string | undefined;
}) {
  return plugin === undefined ? <List back={back} /> : <PluginPage key={plugin} hubId={plugin} />;
}

function List({ back }: { back: ReactNode }) {
  const { t } = useTranslation("plugins");
  const {
    data: { plugins, problems },
  } = useSuspenseQuery(pluginsQuery);
  return (
    <PageBody inside="split">
      <div className="grid max-w-[760px] grid-cols-1 gap-4">
        {back}
        <FormSection title={t("title")} help={t("help")}>
          {problems.map((problem) => (
            <Problem key={problem.folder} {...problem} />
          ))}
          {plugins.length === 0 ? (
            <div className="grid justify-items-start gap-2 rounded-md border border-line p-6">
              <h3 className="font-semibold">{t("emptyTitle")}</h3>
              <p className="text-fg-2">{t("emptyText")}</p>
              <div className="mt-2">
                <Adding />
              </div>
            </div>
          ) : (
            <>
              <Adding />
              <ul className="grid grid-cols-1 border-t border-subtle" aria-label={t("listed")}>
                {plugins.map((plugin) => (
                  <PluginRow key={plugin.hubId} plugin={plugin} />
                ))}
              </ul>
            </>
          )}
        </FormSection>
      </div>
    </PageBody>
  );
}

function Adding() {
  const { t } = useTranslation("plugins");
  const hasHub = useHasHub();
  return (
    <div className="flex flex-wrap gap-2">
      <UploadButton />
      {hasHub && (
        <Link
          className={buttonStyles()}
          to="/settings/community-hub/trending"
          search={{ type: "agent-skill" }}
        >
          <Store className="size-3.5 stroke-2" aria-hidden="true" />
          {t("fromHub")}
        </Link>
      )}
    </div>
  );
}

function Problem({ folder, fault }: Out<typeof listPlugins>["problems"][number]) {
  const { t } = useTranslation("plugins");
  const reason = useFaultText(fault, "");
  return (
    <Notice kind="warn">
      <p>{t("problem", { folder, reason })}</p>
    </Notice>
  );
}

function PluginRow({ plugin }: { plugin: PluginSummary }) {
  const { t } = useTranslation("plugins");
  const toggle = useTogglePlugin();
  const { hubId, name, description, version, author, active, review, missing } = plugin;
  return (
    <li className="relative flex items-center gap-3 border-b border-subtle py-3 hover:bg-hover max-md:gap-2">
      <div className="min-w-0 flex-1 ps-2">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            className="truncate font-medium before:absolute before:inset-0"
            dir="auto"
            to="/settings/agents"
            search={{ view: "plugins", plugin: hubId }}
          >
            {name}
          </Link>
        </p>
        {description !== "" && (
          <p className="truncate text-fg-2" dir="auto">
            {description}
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-fg-3">
          {version !== "" && <span>{t("version", { version })}</span>}
          {author !== "" && <span>{t("by", { author })}</span>}
          {review !== "confirmed" && <Badge tone="warning">{t(`review.${review}`)}</Badge>}
          {missing.length > 0 && <Badge tone="warning">{t("missing")}</Badge>}
        </p>
      </div>
      {review === "confirmed" && (
        <>
          <span className="text-xs text-fg-3 max-md:sr-only">{t(active ? "on" : "off")}</span>
          <Switch
            className="z-1 me-2"
            checked={active}
            aria-label={t("active", { name })}
            aria-busy={toggle.isPending || undefined}
            onChange={(on) => toggle.mutate({ hubId, active: on })}
          />
        </>
      )}
    </li>
  );
}

function UploadButton() {
  const { t } = useTranslation("plugins");
  const input = useRef<HTMLDivElement>(null);
  const upload = useUploadPlugin();
  return (
    <div ref={input}>
      <FileInput
        label={t("uploadFile")}
        accept=".zip,application/zip"
        onFiles={([file]) => {
          if (file)
            upload.mutate(file, {
              onSuccess: ({ name }) => toast.success(t("uploaded", { name })),
            });
        }}
      />
      <Button
        variant="primary"
        disabled={upload.isPending}
        onClick={() => input.current?.querySelector("input")?.click()}
      >
        <Upload className="size-3.5 stroke-2" aria-hidden="true" />
        {t(upload.isPending ? "uploading" : "upload")}
      </Button>
    </div>
  );
}
