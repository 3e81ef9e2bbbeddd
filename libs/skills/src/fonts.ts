import { createRequire } from "node:module";

/**
 * Fonts that documents and pictures are written with: Inter and JetBrains Mono, which cover Latin,
 * Greek and Cyrillic. They come with Carrel, as containers have no fonts.
 */
export type FontName = "regular" | "bold" | "italic" | "boldItalic" | "mono";

const files: Record<FontName, string> = {
  regular: "inter/400Regular/Inter_400Regular.ttf",
  bold: "inter/600SemiBold/Inter_600SemiBold.ttf",
  italic: "inter/400Regular_Italic/Inter_400Regular_Italic.ttf",
  boldItalic: "inter/600SemiBold_Italic/Inter_600SemiBold_Italic.ttf",
  mono: "jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf",
};

/** The path of the font's TTF file. */
export const fontFile = (name: FontName): string =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/${files[name]}`);
