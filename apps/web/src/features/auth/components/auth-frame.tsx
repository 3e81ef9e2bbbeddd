import { Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LanguagePicker } from "../../../components/language-picker.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import "../../../lib/auth-texts.ts";
import { usePageTitle } from "../../../lib/brand.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";

const books =
  "M0 112h1600M6 59h13a2 2 0 0 1 2 2v49a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-49a2 2 0 0 1 2-2zM9 73h7M25 18h13a2 2 0 0 1 2 2v90a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-90a2 2 0 0 1 2-2zM44 35h22a2 2 0 0 1 2 2v73a2 2 0 0 1-2 2h-22a2 2 0 0 1-2-2v-73a2 2 0 0 1 2-2zM72 44h5a2 2 0 0 1 2 2v64a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-64a2 2 0 0 1 2-2zM83 56h13a2 2 0 0 1 2 2v52a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-52a2 2 0 0 1 2-2zM86 70h7M102 34h17a2 2 0 0 1 2 2v74a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2v-74a2 2 0 0 1 2-2zM125 33h10a2 2 0 0 1 2 2v75a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-75a2 2 0 0 1 2-2zM141 30h6a2 2 0 0 1 2 2v78a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-78a2 2 0 0 1 2-2zM153 112l13-64 12 3-13 61zM184 37h22a2 2 0 0 1 2 2v71a2 2 0 0 1-2 2h-22a2 2 0 0 1-2-2v-71a2 2 0 0 1 2-2zM212 35h9a2 2 0 0 1 2 2v73a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-73a2 2 0 0 1 2-2zM241 57h14a2 2 0 0 1 2 2v51a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-51a2 2 0 0 1 2-2zM244 71h8M261 43h13a2 2 0 0 1 2 2v65a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-65a2 2 0 0 1 2-2zM280 46h11a2 2 0 0 1 2 2v62a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-62a2 2 0 0 1 2-2zM297 46h6a2 2 0 0 1 2 2v62a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-62a2 2 0 0 1 2-2zM309 27h21a2 2 0 0 1 2 2v81a2 2 0 0 1-2 2h-21a2 2 0 0 1-2-2v-81a2 2 0 0 1 2-2zM312 41h15M336 20h13a2 2 0 0 1 2 2v88a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-88a2 2 0 0 1 2-2zM355 37h16a2 2 0 0 1 2 2v71a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-71a2 2 0 0 1 2-2zM377 31h13a2 2 0 0 1 2 2v77a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-77a2 2 0 0 1 2-2zM396 61h18a2 2 0 0 1 2 2v47a2 2 0 0 1-2 2h-18a2 2 0 0 1-2-2v-47a2 2 0 0 1 2-2zM420 22h9a2 2 0 0 1 2 2v86a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-86a2 2 0 0 1 2-2zM435 35h13a2 2 0 0 1 2 2v73a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-73a2 2 0 0 1 2-2zM438 49h7M468 33h19a2 2 0 0 1 2 2v75a2 2 0 0 1-2 2h-19a2 2 0 0 1-2-2v-75a2 2 0 0 1 2-2zM493 49h21a2 2 0 0 1 2 2v59a2 2 0 0 1-2 2h-21a2 2 0 0 1-2-2v-59a2 2 0 0 1 2-2zM496 63h15M520 56h14a2 2 0 0 1 2 2v52a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-52a2 2 0 0 1 2-2zM540 112l13-51 12 3-13 48zM571 40h21a2 2 0 0 1 2 2v68a2 2 0 0 1-2 2h-21a2 2 0 0 1-2-2v-68a2 2 0 0 1 2-2zM574 54h15M598 29h17a2 2 0 0 1 2 2v79a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2v-79a2 2 0 0 1 2-2zM621 28h14a2 2 0 0 1 2 2v80a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-80a2 2 0 0 1 2-2zM624 42h8M641 43h20a2 2 0 0 1 2 2v65a2 2 0 0 1-2 2h-20a2 2 0 0 1-2-2v-65a2 2 0 0 1 2-2zM667 57h13a2 2 0 0 1 2 2v51a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-51a2 2 0 0 1 2-2zM670 71h7M686 42h18a2 2 0 0 1 2 2v66a2 2 0 0 1-2 2h-18a2 2 0 0 1-2-2v-66a2 2 0 0 1 2-2zM689 56h12M710 24h15a2 2 0 0 1 2 2v84a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-84a2 2 0 0 1 2-2zM745 31h12a2 2 0 0 1 2 2v77a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-77a2 2 0 0 1 2-2zM748 45h6M763 18h19a2 2 0 0 1 2 2v90a2 2 0 0 1-2 2h-19a2 2 0 0 1-2-2v-90a2 2 0 0 1 2-2zM788 47h7a2 2 0 0 1 2 2v61a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-61a2 2 0 0 1 2-2zM801 32h7a2 2 0 0 1 2 2v76a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-76a2 2 0 0 1 2-2zM814 23h14a2 2 0 0 1 2 2v85a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-85a2 2 0 0 1 2-2zM834 58h15a2 2 0 0 1 2 2v50a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-50a2 2 0 0 1 2-2zM837 72h9M855 59h20a2 2 0 0 1 2 2v49a2 2 0 0 1-2 2h-20a2 2 0 0 1-2-2v-49a2 2 0 0 1 2-2zM881 21h12a2 2 0 0 1 2 2v87a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-87a2 2 0 0 1 2-2zM899 49h21a2 2 0 0 1 2 2v59a2 2 0 0 1-2 2h-21a2 2 0 0 1-2-2v-59a2 2 0 0 1 2-2zM902 63h15M926 112l13-84 17 3-13 81zM962 32h17a2 2 0 0 1 2 2v76a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2v-76a2 2 0 0 1 2-2zM999 39h5a2 2 0 0 1 2 2v69a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-69a2 2 0 0 1 2-2zM1010 26h20a2 2 0 0 1 2 2v82a2 2 0 0 1-2 2h-20a2 2 0 0 1-2-2v-82a2 2 0 0 1 2-2zM1057 40h13a2 2 0 0 1 2 2v68a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-68a2 2 0 0 1 2-2zM1060 54h7M1076 62h7a2 2 0 0 1 2 2v46a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-46a2 2 0 0 1 2-2zM1089 57h9a2 2 0 0 1 2 2v51a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-51a2 2 0 0 1 2-2zM1104 20h7a2 2 0 0 1 2 2v88a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-88a2 2 0 0 1 2-2zM1117 19h11a2 2 0 0 1 2 2v89a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-89a2 2 0 0 1 2-2zM1134 24h17a2 2 0 0 1 2 2v84a2 2 0 0 1-2 2h-17a2 2 0 0 1-2-2v-84a2 2 0 0 1 2-2zM1157 47h6a2 2 0 0 1 2 2v61a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-61a2 2 0 0 1 2-2zM1169 23h21a2 2 0 0 1 2 2v85a2 2 0 0 1-2 2h-21a2 2 0 0 1-2-2v-85a2 2 0 0 1 2-2zM1172 37h15M1210 25h7a2 2 0 0 1 2 2v83a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-83a2 2 0 0 1 2-2zM1223 64h15a2 2 0 0 1 2 2v44a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-44a2 2 0 0 1 2-2zM1226 78h9M1244 36h5a2 2 0 0 1 2 2v72a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-72a2 2 0 0 1 2-2zM1255 19h12a2 2 0 0 1 2 2v89a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-89a2 2 0 0 1 2-2zM1258 33h6M1273 112l13-88 23 3-13 85zM1315 43h5a2 2 0 0 1 2 2v65a2 2 0 0 1-2 2h-5a2 2 0 0 1-2-2v-65a2 2 0 0 1 2-2zM1326 27h19a2 2 0 0 1 2 2v81a2 2 0 0 1-2 2h-19a2 2 0 0 1-2-2v-81a2 2 0 0 1 2-2zM1329 41h13M1351 37h13a2 2 0 0 1 2 2v71a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-71a2 2 0 0 1 2-2zM1354 51h7M1370 38h16a2 2 0 0 1 2 2v70a2 2 0 0 1-2 2h-16a2 2 0 0 1-2-2v-70a2 2 0 0 1 2-2zM1373 52h10M1392 61h11a2 2 0 0 1 2 2v47a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-47a2 2 0 0 1 2-2zM1395 75h5M1409 46h9a2 2 0 0 1 2 2v62a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2v-62a2 2 0 0 1 2-2zM1438 18h10a2 2 0 0 1 2 2v90a2 2 0 0 1-2 2h-10a2 2 0 0 1-2-2v-90a2 2 0 0 1 2-2zM1454 63h20a2 2 0 0 1 2 2v45a2 2 0 0 1-2 2h-20a2 2 0 0 1-2-2v-45a2 2 0 0 1 2-2zM1457 77h14M1480 64h19a2 2 0 0 1 2 2v44a2 2 0 0 1-2 2h-19a2 2 0 0 1-2-2v-44a2 2 0 0 1 2-2zM1505 30h22a2 2 0 0 1 2 2v78a2 2 0 0 1-2 2h-22a2 2 0 0 1-2-2v-78a2 2 0 0 1 2-2zM1508 44h16M1533 45h20a2 2 0 0 1 2 2v63a2 2 0 0 1-2 2h-20a2 2 0 0 1-2-2v-63a2 2 0 0 1 2-2zM1559 38h12a2 2 0 0 1 2 2v70a2 2 0 0 1-2 2h-12a2 2 0 0 1-2-2v-70a2 2 0 0 1 2-2zM1577 24h14a2 2 0 0 1 2 2v84a2 2 0 0 1-2 2h-14a2 2 0 0 1-2-2v-84a2 2 0 0 1 2-2z";

/** The bookshelf at the bottom of the sign-in page; one book is lit. */
function Bookshelf() {
  return (
    <svg
      className="absolute inset-x-0 bottom-0 mx-auto block w-[max(100%,1100px)] max-w-none text-subtle"
      viewBox="0 0 1600 120"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      aria-hidden="true"
    >
      <path d={books} />
      <rect
        x="1034"
        y="14"
        width="18"
        height="86"
        rx="2"
        fill="var(--accent-subtle)"
        stroke="var(--accent-solid)"
      />
      <path d="M1039 28h8M1039 34h8" stroke="var(--accent-solid)" />
    </svg>
  );
}

/**
 * Layout of pages without a session: logo, title, one sentence, a form, and the bookshelf at the
 * bottom.
 */
export function AuthFrame({
  title,
  sentence,
  logo,
  children,
}: {
  title: string;
  sentence?: ReactNode;
  logo?: ReactNode;
  children?: ReactNode;
}) {
  const { t } = useTranslation("auth");
  const theme = useTheme();
  usePageTitle(title);
  return (
    <main className="relative grid min-h-dvh grid-rows-[auto_1fr_auto] overflow-hidden bg-canvas">
      <div className="relative z-1 flex flex-none items-center justify-end gap-1 px-6 py-4 max-md:ps-4 max-md:pe-2">
        <LanguagePicker className="w-auto" />
        <IconButton
          label={theme === "light" ? t("dark") : t("light")}
          onClick={() => chooseTheme(theme === "light" ? "default" : "light")}
        >
          {theme === "light" ? <Moon /> : <Sun />}
        </IconButton>
      </div>
      <div className="relative z-1 grid w-[min(368px,100vw-32px)] gap-5 place-self-center">
        <div className="[&>svg]:ms-px">
          {logo ?? <Logo height={26} />}
          <h1 className="mt-5 text-2xl font-[560] tracking-tight">{title}</h1>
          {sentence && <p className="text-fg-3">{sentence}</p>}
        </div>
        {children}
      </div>
      <span />
      <Bookshelf />
    </main>
  );
}
