import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Files, ListChecks, MessageSquare, Quote, Scale, Upload } from "lucide-react";
import { Suspense, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FileInput } from "../../../components/ui/field.tsx";
import { Hero } from "../../../components/ui/page.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { sentenceSpace } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { welcomeQuery } from "../../../lib/welcome-messages.ts";
import { suggestedQuestionsQuery, suggestionsQuery } from "../api/slash-commands.ts";

const Welcome = lazyPart(() => import("./welcome.tsx"));

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
  addsToWorkspace,
  onIdea,
}: {
  slug: string;
  name: string;
  documents: number | null;
  composer: ReactNode;
  accept: string;
  onFiles: (files: File[]) => void;
  /** Files chosen here are added to the workspace. */
  addsToWorkspace: boolean;
  onIdea: (message: string) => void;
}) {
  const { t } = useTranslation("chat");
  const picker = useRef<HTMLInputElement>(null);
  const welcome = useQuery(welcomeQuery).data ?? [];
  const { data: suggested, isLoadingError } = useQuery(suggestionsQuery(slug));
  const own = (suggested ?? []).map((each) => ({
    icon: MessageSquare,
    title: each.heading.trim() || each.message,
    body: each.heading.trim() ? each.message : "",
    message: each.message.trim() || each.heading,
  }));
  // Without a model, only questions that quotes can answer are suggested.
  const answerable = useQuery({
    ...suggestedQuestionsQuery(slug),
    enabled: suggested !== undefined && own.length === 0 && documents !== null && documents > 0,
  });
  const summary = {
    icon: ListChecks,
    title: t("ideaSummary"),
    body: t("ideaSummaryBody"),
    message: t("ideaSummaryMessage"),
  };
  const quotable = [
    summary,
    ...(answerable.data?.questions ?? []).map(({ question, title }) => ({
      icon: Quote,
      title: question,
      body: title,
      message: question,
    })),
  ];
  const usual =
    isLoadingError || documents === 0
      ? []
      : [
          summary,
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
  const ideas =
    own.length > 0
      ? own
      : documents !== 0 && answerable.data?.hasModel === false
        ? quotable
        : usual;
  // Until they are known, the usual ones reserve their space, so that nothing moves on a slow
  // connection.
  const areKnown =
    own.length > 0 ||
    (suggested !== undefined && documents !== null && (documents === 0 || !answerable.isPending));
  return (
    <Hero>
      <h2>
        {documents === 0 && addsToWorkspace
          ? t("emptyTitleNoDocuments", { name })
          : t("emptyTitle")}
      </h2>
      <p className="mt-2 mb-6 flex min-h-5 flex-wrap gap-x-3.5 gap-y-1 text-fg-3">
        {documents === 0 ? (
          addsToWorkspace ? (
            <>
              {t("emptyNoDocuments")}
              <Link
                className={linkStyles}
                to="/workspace/$workspaceSlug/documents"
                params={{ workspaceSlug: slug }}
                search={{ sources: "new" }}
              >
                {t("emptyConnect")}
              </Link>
            </>
          ) : (
            t("emptyNoDocumentsMember")
          )
        ) : (
          documents !== null && (
            <span className="inline-flex items-center gap-1.5">
              <Files className="size-3.5 stroke-2" aria-hidden="true" />
              {t("documents", { count: documents })}
            </span>
          )
        )}
      </p>
      {welcome.length > 0 && (
        <div className="mb-6">
          <Suspense>
            <Welcome messages={welcome} />
          </Suspense>
        </div>
      )}
      {composer}
      {ideas.length > 0 && (
        <div
          className={cn(
            "mt-6 grid grid-cols-[1fr_1fr] gap-x-6 max-md:grid-cols-[1fr]",
            !areKnown && "invisible",
          )}
          role="group"
          aria-label={t("suggestions")}
        >
          {ideas.map((idea, index) => (
            <button
              type="button"
              className="flex gap-3 border-t border-subtle px-2 py-2.75 text-fg-3 hover:rounded-sm hover:border-transparent hover:bg-hover [&_svg]:mt-0.5 [&_svg]:text-fg-3 hover:[&_svg]:text-accent"
              key={`${index}-${idea.title}`}
              onClick={() => onIdea(idea.message)}
            >
              <idea.icon aria-hidden="true" />
              <span>
                <b className="block font-medium text-fg-1">{idea.title}</b>
                {idea.body}
              </span>
            </button>
          ))}
        </div>
      )}
      <FileInput ref={picker} multiple accept={accept} label={t("chooseFiles")} onFiles={onFiles} />
      <button
        type="button"
        className="mt-6 flex w-full items-center gap-3 rounded-md border border-dashed border-strong px-4 py-3 text-fg-2 [&_b]:font-medium [&_b]:text-fg-1 [&_svg]:text-fg-3"
        onClick={() => picker.current?.click()}
      >
        <Upload aria-hidden="true" />
        <span className="min-w-0 flex-1">
          <b className="max-md:hidden">{t("dropAnywhere")}</b>
          <b className="md:hidden">{t("addFiles")}</b>
          {sentenceSpace()}
          <span className="max-md:hidden">{t("dropToAsk")}</span>
          {sentenceSpace()}
          <span className="text-fg-3 max-md:hidden">{t("dropTypes")}</span>
        </span>
        <span className={linkStyles}>{t("chooseFiles")}</span>
      </button>
    </Hero>
  );
}
