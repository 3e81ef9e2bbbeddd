import { quotingProvider, type ProviderDeclaration } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { ExternalLink, Globe, HardDrive, ShieldQuestionMark, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import { addTexts } from "../../lib/i18n.ts";
import {
  destinationOf,
  initialValues,
  type BrowserKind,
  type ProviderKind,
  type Values,
} from "../../lib/provider-form.ts";
import { providersQuery } from "../../lib/providers.ts";
import { setupQuery } from "../../lib/setup.ts";
import privacy from "../../locales/en/privacy.json" with { type: "json" };
import { Badge } from "../ui/badge.tsx";
import { linkStyles } from "../ui/styles.ts";
import { ProviderTile } from "./provider-tile.tsx";

addTexts("privacy", privacy);

/** The providers in use and what each receives; by default those for questions and documents. */
export function DataHandling({
  kinds = ["language", "embedding", "vector"],
}: {
  kinds?: readonly ProviderKind[];
}) {
  const { data } = useSuspenseQuery(providersQuery);
  const { data: saved } = useSuspenseQuery(setupQuery);
  return (
    <ul className="grid grid-cols-1 gap-3">
      {kinds.map((kind) => {
        const id = data[kind].provider;
        const provider = data.providers.find((each) => each.kind === kind && each.id === id);
        return (
          <HandlingNote
            key={kind}
            kind={kind}
            id={id}
            provider={provider ?? null}
            values={provider ? initialValues(provider, saved) : {}}
          />
        );
      })}
    </ul>
  );
}

const icons = {
  none: ShieldQuestionMark,
  browser: Globe,
  server: HardDrive,
  private: HardDrive,
  remote: ExternalLink,
  unknown: ExternalLink,
} satisfies Record<ReturnType<typeof destinationOf> | "none", LucideIcon>;

/** One provider; an unknown one has no policy to show. */
function HandlingNote({
  kind,
  id,
  provider,
  values,
}: {
  kind: ProviderKind;
  id: string;
  provider: ProviderDeclaration | null;
  values: Values;
}) {
  const { t } = useTranslation(["privacy", "settings"]);
  const destination = provider === null ? null : destinationOf(provider, values);
  const leaves = destination === "remote" || destination === "unknown";
  const name = provider?.name ?? t("handling.unknown");
  const Icon = icons[destination ?? "none"];
  return (
    <li className="flex gap-3.5 rounded-md border border-line px-4 py-3.5">
      <ProviderTile provider={provider ?? { id, name }} size="lg" />
      <div className="min-w-0 flex-1">
        <p className="text-xs text-fg-3">{t(`settings:page.${kind}`)}</p>
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h2 className="text-md font-semibold">{name}</h2>
          {destination !== null && (
            <Badge tone={leaves ? "neutral" : "success"}>
              <Icon className="size-3.5 stroke-2" aria-hidden="true" />
              {t(`handling.where.${destination}`)}
            </Badge>
          )}
        </div>
        <p className="mt-1.5 text-fg-2">
          {destination === null
            ? t("handling.noPolicy", { id })
            : destination === "browser"
              ? t(`handling.browser.${kind as BrowserKind}`)
              : kind === "language" && destination === "server" && id !== quotingProvider
                ? t("handling.language.model")
                : t(`handling.${kind}.${destination}`, { name })}
        </p>
        {provider?.dataPolicyUrl && (
          <p className="mt-1.5">
            <a
              className={linkStyles}
              href={provider.dataPolicyUrl}
              target="_blank"
              rel="noreferrer noopener"
            >
              {t("settings:dataPolicy", { name })}
            </a>
          </p>
        )}
      </div>
    </li>
  );
}
