import { Link } from "@tanstack/react-router";
import { ArrowRight, Quote, Server, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { CarrelArt } from "./carrel-art.tsx";
import { StartWithoutKey } from "./start-without-key.tsx";

const facts = [
  [Server, "home.server"],
  [Quote, "home.sources"],
  [Users, "home.team"],
] as const;

/** The first page of a new instance. */
export function WelcomeStep({ onStarted }: { onStarted: (slug: string) => void }) {
  const { t } = useTranslation("onboarding");
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] overflow-auto">
      <div className="m-auto flex w-full max-w-[1080px] items-center gap-14 px-12 py-10 max-md:px-5 max-md:py-8">
        <div className="min-w-0 flex-1">
          <h1 className="text-[40px]/11.5 font-[560] tracking-tight text-balance max-md:text-[30px]/9">
            {t("home.title")}
          </h1>
          <p className="mt-4 max-w-[48ch] text-md text-fg-2">{t("home.sentence")}</p>
          <ul className="mt-6 grid gap-2 text-fg-2">
            {facts.map(([Icon, text]) => (
              <li key={text} className="flex items-center gap-3">
                <Icon className="text-accent" aria-hidden="true" />
                {t(text)}
              </li>
            ))}
          </ul>
          <div className="mt-8 flex flex-wrap items-center gap-3 max-md:grid max-md:[&>*]:min-h-11">
            <Link
              className={buttonStyles({ variant: "primary", size: "lg" })}
              to="/onboarding/$step"
              params={{ step: "llm-preference" }}
            >
              {t("home.action")}
              <ArrowRight className="rtl:-scale-x-100" aria-hidden="true" />
            </Link>
            <StartWithoutKey size="lg" onCreated={onStarted} />
          </div>
          <p className="mt-3 text-xs text-fg-3">{t("home.withoutKeyHelp")}</p>
        </div>
        <div className="w-[42%] flex-none max-lg:hidden">
          <CarrelArt />
        </div>
      </div>
    </div>
  );
}
