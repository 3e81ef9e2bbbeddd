import "../texts.ts";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { brandingQuery, useSaveBranding } from "../api/preferences.ts";
import { changesOf, faultCount, type BrandingValues } from "../state/branding-form.ts";
import { BrandingTexts } from "./branding-texts.tsx";
import { FooterEditor } from "./footer-editor.tsx";

/** The instance's texts and links as part of a form. `save` returns how to undo it. */
export function useBrandingForm(): {
  fields: ReactNode;
  changes: number;
  faults: number;
  save: () => Promise<() => Promise<unknown>>;
  discard: () => void;
} {
  const { t } = useTranslation(["appearance", "common"]);
  const query = useQuery(brandingQuery);
  const { mutateAsync } = useSaveBranding();
  const [typed, setTyped] = useState<Partial<BrandingValues>>({});
  const saved = query.data;
  const values = saved && { ...saved, ...typed };
  const changes = values ? changesOf(values, saved) : {};
  const change = (part: Partial<BrandingValues>): void =>
    setTyped((before) => ({ ...before, ...part }));
  return {
    changes: Object.keys(changes).length,
    faults: values ? faultCount(values) : 0,
    discard: () => setTyped({}),
    save: async () => {
      const back = values ? changesOf(saved, values) : {};
      await mutateAsync(changes);
      setTyped({});
      return () => mutateAsync(back);
    },
    fields: values ? (
      <>
        <BrandingTexts values={values} onChange={change} />
        <FooterEditor links={values.links} onChange={(links) => change({ links })} />
      </>
    ) : query.error ? (
      <FailedQuery
        title={t("loadFailed")}
        retryLabel={t("common:retry")}
        error={query.error}
        retry={() => void query.refetch()}
      />
    ) : (
      <Skeleton aria-label={t("common:loading")} />
    ),
  };
}
