import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { english, type Words } from "./english.ts";

export const WordsContext = createContext<Words>(english);
export const useWords = (): Words => useContext(WordsContext);
