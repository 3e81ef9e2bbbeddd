import type { Locale } from "./en.ts";

export const fr: Locale = {
  refusal: "Cet espace ne contient aucune information pertinente pour répondre à votre question.",
  refusalOfChoice:
    "Les documents choisis ne contiennent aucune information pertinente pour répondre à votre question.",
  widgetRefusal:
    "Je n’ai pas assez d’informations pour répondre à cette question. Essayez-en une autre.",
  closestPassages: "Aucune phrase n’y répond directement. Voici les passages les plus proches :",
  storeUnavailable:
    "{store} n’est pas disponible : la recherche dans les documents de cet espace est impossible pour l’instant. Ils seront ajoutés automatiquement dès son retour.",
  noDocuments: "Cet espace ne contient encore aucun document à citer.",
  nothingFound: "Je n’ai trouvé aucune réponse dans les documents de cet espace.",
  nothingFoundInChoice: "Je n’ai trouvé aucune réponse dans les documents choisis.",
  questionAbout: "Que dit « {title} » sur {about} ?",
  threadDefault: "Conversation par défaut",
  threadForked: "Conversation dérivée",
  exportWorkspace: "Espace : {name}",
  exportYou: "Vous",
  exportAnswer: "Réponse",
  exportSources: "Sources",
  exportPage: "page {page}",
  exportThought: "Réflexion terminée",
  exportThoughtFor: "Réflexion : {seconds} s",
  exportPicture: "Image",
  exportChat: "Chat",
  exportChatOf: "Chat de {workspace}",
  variableTime: "Heure actuelle",
  variableDate: "Date du jour",
  variableDatetime: "Date et heure actuelles",
  variableTime24: "Heure actuelle au format 24 heures",
  variableDatetime24: "Date et heure actuelles au format 24 heures",
  variableUserName: "Nom de la personne connectée",
  variableUserBio: "Présentation de la personne connectée",
  variableWorkspaceId: "Identifiant de l’espace actuel",
  variableWorkspaceName: "Nom de l’espace actuel",
};
