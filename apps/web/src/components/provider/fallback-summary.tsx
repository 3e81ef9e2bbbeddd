import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { fallbackName, fallbacksQuery } from "../../lib/fallback-models.ts";
import { joinNames } from "../../lib/format.ts";
import { lazyPart } from "../../lib/lazy-part.ts";
import { Button } from "../ui/button.tsx";
import { FailedQuery } from "../ui/notice.tsx";

const FallbackDialog = lazyPart(() => import("./fallback-dialog.tsx"));

/** Which models answer when the chosen one can't; without a slug, the instance's. */
export function FallbackSummary({ slug }: { slug: string | null }) {
  const { t } = useTranslation("fallback");
  const [open, setOpen] = useState(false);
  const list = useQuery(fallbacksQuery(slug));
  if (list.error)
    return (
      <FailedQuery
        title={t("loadFailed")}
        retryLabel={t("retry")}
        error={list.error}
        retry={() => void list.refetch()}
      />
    );
  const summary = (): string => {
    if (!list.data) return "…";
    const { models, instance, providers } = list.data;
    const shown = models ?? instance;
    const names = joinNames(shown.map((each) => fallbackName(each, providers)));
    if (models === null) return names === "" ? t("followsNone") : t("follows", { models: names });
    return names === "" ? t("none") : t("some", { models: names });
  };
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{t("label")}</span>
        <p className="text-fg-2">{summary()}</p>
      </div>
      <Button
        size="sm"
        aria-label={t("changeNamed")}
        disabled={!list.data}
        onClick={() => setOpen(true)}
      >
        {t("change")}
      </Button>
      {open && list.data && (
        <Suspense>
          <FallbackDialog slug={slug} list={list.data} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
