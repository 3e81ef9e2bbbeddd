import type { ConnectorWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SourceIcon } from "../../../components/source/source-icon.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { connectorsQuery } from "../api/connections.ts";
import {
  AllSources,
  LoadingSources,
  SourceBody,
  SourceLink,
  FailedSources,
} from "./source-page-parts.tsx";

/** What most people look for comes first, then the others by name. */
const popular = ["website", "github"];
const rankOf = ({ id }: ConnectorWire): number =>
  popular.includes(id) ? popular.indexOf(id) : popular.length;

/** Fewer kinds of sources are seen at a glance. */
const searchedFrom = 7;

const matches = ({ id, label, description }: ConnectorWire, term: string): boolean =>
  term
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${id} ${label} ${description}`.toLowerCase().includes(word));

/** The kinds of sources, to choose one. */
export function ConnectorGrid({
  slug,
  isOffline,
  isFirst = false,
}: {
  slug: string;
  /** The document processor is down. */
  isOffline: boolean;
  /** The workspace has no sources yet. */
  isFirst?: boolean;
}) {
  const { t } = useTranslation("connections");
  const { data, error, refetch } = useQuery(connectorsQuery);
  const [term, setTerm] = useState("");
  if (!error && data === undefined) return <LoadingSources />;
  const connectors = data ?? [];
  const found = connectors
    .filter((connector) => matches(connector, term.trim()))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.label.localeCompare(b.label));
  return (
    <SourceBody>
      <div className="mx-auto grid max-w-[960px] grid-cols-1 gap-5">
        <header className="grid grid-cols-1 gap-3">
          {!isFirst && <AllSources slug={slug} />}
          <div>
            <h2 className="text-lg font-semibold tracking-snug">
              {t(isFirst ? "emptyTitle" : "choose.title")}
            </h2>
            <p className="max-w-[64ch] text-fg-2">{t(isFirst ? "emptyText" : "choose.text")}</p>
          </div>
        </header>
        <SetUpNotices isOffline={isOffline} />
        {error && <FailedSources error={error} retry={() => void refetch()} />}
        {data?.length === 0 && (
          <Notice kind="warn">
            <p>{t("choose.empty")}</p>
          </Notice>
        )}
        {connectors.length >= searchedFrom && (
          <SearchField
            className="h-9 max-w-80 max-md:h-11 max-md:max-w-none"
            label={t("choose.search")}
            value={term}
            onChange={(event) => setTerm(event.target.value)}
          />
        )}
        {found.length > 0 && (
          <ul
            className="grid grid-cols-[repeat(auto-fill,minmax(270px,1fr))] gap-3 max-md:grid-cols-1"
            aria-label={t("choose.list")}
          >
            {found.map(({ id, label, description }) => (
              <li key={id}>
                <SourceLink
                  slug={slug}
                  rest={`new/${id}`}
                  className="flex h-full items-start gap-3 rounded-md border border-line bg-surface px-4 py-3 hover:border-strong hover:bg-hover"
                >
                  <SourceIcon id={id} />
                  <span className="min-w-0">
                    <span className="block font-medium">{label}</span>
                    <span className="block text-xs text-fg-2">{description}</span>
                  </span>
                </SourceLink>
              </li>
            ))}
          </ul>
        )}
        {connectors.length > 0 && found.length === 0 && (
          <p className="text-fg-3">
            {t("choose.nothing", { term: term.trim() })}{" "}
            <button type="button" className={linkStyles} onClick={() => setTerm("")}>
              {t("choose.showAll")}
            </button>
          </p>
        )}
      </div>
    </SourceBody>
  );
}

/** What to know before setting up a source. */
export function SetUpNotices({ isOffline }: { isOffline: boolean }) {
  const { t } = useTranslation("connections");
  return (
    <>
      <Notice className="md:hidden">{t("form.phone")}</Notice>
      {isOffline && (
        <Notice kind="warn">
          <p>
            <b>{t("form.offline")}</b>
          </p>
          <p>{t("form.offlineText")}</p>
        </Notice>
      )}
    </>
  );
}
