import { useQuery } from "@tanstack/react-query";
import { Files, ListChecks, MessageSquare, Quote, Scale, Upload } from "lucide-react";
import { lazy, Suspense, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { suggestionsQuery, welcomeQuery } from "../api/presets.ts";

const Welcome = lazy(() => import("./welcome.tsx"));

/**
 * Before the first question: welcome messages, what the workspace contains, the composer and
 * suggested questions.
 */
export function EmptyChat({
  slug,
  name,
  documents,
  composer,
  accept,
  onFiles,
  adds,
  onIdea,
}: {
  slug: string;
  name: string;
  documents: number | null;
  composer: ReactNode;
  accept: string;
  onFiles: (files: File[]) => void;
  /** Files chosen here are added to the workspace. */
  adds: boolean;
  onIdea: (message: string) => void;
}) {
  const { t } = useTranslation("chat");
  const picker = useRef<HTMLInputElement>(null);
  const welcome = useQuery(welcomeQuery).data ?? [];
  const suggested = useQuery(suggestionsQuery(slug)).data;
  const own = (suggested ?? []).map((each) => ({
    icon: MessageSquare,
    title: each.heading.trim() || each.message,
    body: each.heading.trim() ? each.message : "",
    message: each.message.trim() || each.heading,
  }));
  const usual =
    suggested === undefined || !documents
      ? []
      : [
          {
            icon: ListChecks,
            title: t("ideaSummary"),
            body: t("ideaSummaryBody"),
            message: t("ideaSummaryMessage"),
          },
          {
            icon: Scale,
            title: t("ideaFigures"),
            body: t("ideaFiguresBody"),
            message: t("ideaFiguresMessage"),
          },
          {
            icon: Quote,
            title: t("ideaRules"),
            body: t("ideaRulesBody"),
            message: t("ideaRulesMessage"),
          },
          {
            icon: Files,
            title: t("ideaOpen"),
            body: t("ideaOpenBody"),
            message: t("ideaOpenMessage"),
          },
        ];
  const ideas = own.length > 0 ? own : usual;
  return (
    <div className="hero">
      <div className="col">
        <h2>{documents === 0 && adds ? t("emptyTitleNoDocuments", { name }) : t("emptyTitle")}</h2>
        <p className="sub">
          {documents === 0
            ? adds
              ? t("emptyNoDocuments")
              : t("emptyNoDocumentsMember")
            : documents !== null && (
                <span>
                  <Files className="i sm" aria-hidden="true" />
                  {t("documents", { count: documents })}
                </span>
              )}
        </p>
        {welcome.length > 0 && (
          <Suspense>
            <Welcome messages={welcome} />
          </Suspense>
        )}
        {composer}
        {ideas.length > 0 && (
          <div className="ideas" role="group" aria-label={t("suggestions")}>
            {ideas.map((idea, index) => (
              <button
                type="button"
                className="idea"
                key={`${index}-${idea.title}`}
                onClick={() => onIdea(idea.message)}
              >
                <idea.icon className="i" aria-hidden="true" />
                <span>
                  <b>{idea.title}</b>
                  {idea.body}
                </span>
              </button>
            ))}
          </div>
        )}
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={accept}
          aria-label={t("chooseFiles")}
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <button type="button" className="drop-hint" onClick={() => picker.current?.click()}>
          <Upload className="i" aria-hidden="true" />
          <span className="grow">
            <b className="desk-only">{t("dropAnywhere")}</b>
            <b className="phone-only">{t("addFiles")}</b>{" "}
            <span className="desk-only">{t("dropToAsk")}</span>{" "}
            <span className="t3">{t("dropTypes")}</span>
          </span>
          <span className="link">{t("chooseFiles")}</span>
        </button>
      </div>
    </div>
  );
}
