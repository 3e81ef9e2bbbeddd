import { Link } from "@tanstack/react-router";
import { ArrowRight, Quote, Server, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { StartWithoutKey } from "./onboarding-frame.tsx";

/** A carrel at night: a lamp, an open book with marked lines, a mug. */
const CarrelArt = () => (
  <svg
    className="w-full max-w-[460px] text-fg-3"
    viewBox="0 0 460 400"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <defs>
      <linearGradient id="lamplight" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stopColor="var(--paper-mark)" stopOpacity=".34" />
        <stop offset="1" stopColor="var(--paper-mark)" stopOpacity="0" />
      </linearGradient>
    </defs>
    <path d="M96 62h268v178H96z" fill="var(--bg-canvas)" />
    <path d="M96 62 40 86v224l56-34M364 62l56 24v224l-56-34" fill="var(--bg-raised)" />
    <path d="M96 104h268M96 110h268" />
    <path
      d="M112 70h12v34h-12zM124 76h9v28h-9zM133 72h14v32h-14zM150 78l9-2 7 27-9 1zM296 74h11v30h-11zM307 70h13v34h-13zM320 78h8v26h-8zM328 73h15v31h-15z"
      fill="var(--bg-surface)"
    />
    <path d="M115 78h6M136 80h8M310 78h7M331 82h9" strokeWidth="1.5" />
    <path d="M230 150 142 246h176z" fill="url(#lamplight)" stroke="none" />
    <path d="M62 290 112 240h236l50 50z" fill="var(--bg-surface)" />
    <path d="M62 290v14h336v-14z" fill="var(--bg-raised)" />
    <path d="M74 304v76M386 304v76M112 304v40M348 304v40M230 110v26" />
    <path
      d="M204 152c0-10 8-16 26-16s26 6 26 16z"
      fill="var(--accent-solid)"
      stroke="var(--accent-solid)"
    />
    <path d="M218 152a12 7 0 0 0 24 0z" fill="var(--paper-mark)" stroke="none" />
    <path
      d="m230 252-52-4-18 30c22-3 48-2 70 4 22-6 48-7 70-4l-18-30zM230 252v30"
      fill="var(--paper-bg)"
      stroke="var(--paper-fg-2)"
    />
    <path d="m178 268 41 3M241 264.5l37-2.5" stroke="var(--paper-mark)" strokeWidth="6" />
    <path
      d="m178 268 40 3M241 264.5l36-2.5M186 256l34 2M182 262l37 2.5M174 274c16-1 30 0 44 3M240 258l32-2M241 271l40-2M242 277c14-3 26-4 42-3"
      stroke="var(--paper-fg-2)"
      strokeWidth="1.5"
      opacity=".55"
    />
    <path
      d="M326 252v14a9 4 0 0 0 18 0v-14M326 252a9 3.5 0 0 0 18 0 9 3.5 0 0 0-18 0zM344 256h3a4 4 0 0 1 0 8h-3"
      fill="var(--bg-raised)"
    />
  </svg>
);

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
