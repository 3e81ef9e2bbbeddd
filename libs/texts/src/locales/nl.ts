import type { Locale } from "./en.ts";

export const nl: Locale = {
  refusal: "In deze werkruimte staat geen relevante informatie om je vraag te beantwoorden.",
  refusalOfChoice:
    "In de gekozen documenten staat geen relevante informatie om je vraag te beantwoorden.",
  widgetRefusal: "Ik heb niet genoeg informatie om dat te beantwoorden. Probeer een andere vraag.",
  closestPassages: "Geen enkele zin geeft hier direct antwoord op. De meest verwante passages:",
  storeUnavailable:
    "{store} is niet beschikbaar, dus de documenten van deze werkruimte kunnen nog niet worden doorzocht. Ze worden automatisch toegevoegd zodra de verbinding er weer is.",
  noDocuments: "Deze werkruimte heeft nog geen documenten om uit te citeren.",
  nothingFound: "Ik heb in de documenten van deze werkruimte geen antwoord hierop gevonden.",
  nothingFoundInChoice: "Ik heb in de gekozen documenten geen antwoord hierop gevonden.",
  questionAbout: "Wat staat er in ‘{title}’ over {about}?",
  exportWorkspace: "Werkruimte: {name}",
  exportYou: "Jij",
  exportAnswer: "Antwoord",
  exportSources: "Bronnen",
  exportPage: "pagina {page}",
  exportThought: "Redenering",
  exportThoughtFor: "{seconds} s nagedacht",
  exportPicture: "Afbeelding",
  exportChat: "Chat",
  exportChatOf: "Chat in {workspace}",
  variableTime: "Huidige tijd",
  variableDate: "Huidige datum",
  variableDatetime: "Huidige datum en tijd",
  variableTime24: "Huidige tijd in 24-uursnotatie",
  variableDatetime24: "Huidige datum en tijd in 24-uursnotatie",
  variableUserName: "Naam van de huidige gebruiker",
  variableUserBio: "Bio van de huidige gebruiker",
  variableWorkspaceId: "ID van de huidige werkruimte",
  variableWorkspaceName: "Naam van de huidige werkruimte",
};
