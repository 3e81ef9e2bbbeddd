import type { FillerPhrases } from "../filler-roles.ts";

export const frenchFillers: FillerPhrases = {
  glue: `
    le, la, les, l, un, une, des, du, de, d, et, ou, mais, donc, alors, aussi, très, bien, plus,
    moins, peu, que, qu, qui, ce, cela, ça, c, est, sont, êtes, es, être, soit, était, ai, as, a,
    avez, ont, avoir, avais, il, elle, ils, vous, tu, te, t, toi, se, s, votre, vos, ton, ta, tes,
    y, en, ne, n, pas, rien, jamais, si, lorsque, parce, car, pour, sur, à, au, aux, par, dans,
    entre, avec, sans, seulement, uniquement, exclusivement, simplement, juste, peut, peux, pouvez,
    possible, veux, veuillez, voudrais, aimerais, merci de, tout, toute, tous, toutes, chaque, ici,
    là, maintenant, oui, non, ok, bon, faut, cette, ces, cet, leur, leurs, lui, autant, mieux,
    afin, sinon, surtout, svp, n est, hasard, par hasard
  `,
  self: `
    je, j, j ai, je suis, moi, me, m, mon, ma, mes, nous, notre, nos, en tant que, en tant qu,
    comme
  `,
  modal: `
    pouvez vous, peux tu, pourriez vous, pourrais tu, pourriez, pourrais, peut on, pourrait on,
    puis je, pouvons nous, est ce que vous pouvez, est ce que tu peux, est ce que vous pourriez,
    est ce que tu pourrais, est ce que je peux, serait il possible, est il possible, voudriez vous,
    voulez vous, veux tu, auriez vous, vous pouvez, tu peux, y a t il moyen, quelqu un peut,
    quelqu un peut il, quelqu un pourrait
  `,
  please: `
    s il vous plaît, s il te plaît, svp, stp, je vous prie, je t en prie, veuillez, merci de,
    si possible, si c est possible, si vous avez le temps, si cela ne vous dérange pas,
    si ça ne te dérange pas, au fait
  `,
  ask: `
    dites moi, dis moi, dites nous, dis nous, me dire, nous dire, m expliquer, nous expliquer,
    explique, expliquez, expliquer, explique moi, expliquez moi, montre moi, montrez moi,
    me montrer, rappelle moi, rappelez moi, me rappeler, donne moi, donnez moi, me donner,
    aide moi, aidez moi, m aider, nous aider, m indiquer, indiquez moi, indique moi, me préciser,
    précisez, décris, décrivez, décrire, me décrire, savez vous, sais tu, est ce que vous savez,
    est ce que tu sais, quelqu un sait, je me demande, je me demandais, je voulais savoir,
    je voulais demander, j aimerais savoir, je voudrais savoir, je souhaite savoir,
    je souhaiterais savoir, je veux savoir, j ai une question, j aurais une question,
    j avais une question, petite question, une question, une petite question, question rapide,
    ma question est, ma question, je suis curieux, je suis curieuse, faites moi savoir,
    fais moi savoir, informez moi, m informer, m éclairer
  `,
  learn: `
    savoir, apprendre, demander, comprendre, connaître, trouver, découvrir, en savoir plus,
    mieux comprendre, dire, obtenir
  `,
  after: "si, que, qu, moi, nous, plus, sur, s il vous plaît, s il te plaît",
  greeting: `
    bonjour, bonsoir, salut, coucou, bonjour à tous, bonjour à toutes, rebonjour, cher, chère,
    chers, chères, madame, monsieur, bonjour madame, bonjour monsieur, comment allez vous,
    comment vas tu, comment ça va, ça va, j espère, en espérant, désolé, désolée, excusez moi,
    excuse moi, pardon, pardonnez moi, question
  `,
  closing: `
    merci, merci beaucoup, merci bien, mille mercis, un grand merci, grand merci, merci infiniment,
    je vous remercie, je te remercie, remercie, cordialement, bien cordialement, bien à vous,
    sincères salutations, salutations, cordiales salutations, bonne journée, bonne soirée,
    à bientôt, au revoir, amicalement, je vous en remercie
  `,
  courtesy: `
    d avance, avance, par avance, beaucoup, infiniment, déranger, dérange, dérangement, temps,
    aide, patience, réponse, attention, allez, va, vas, bonne, journée, soirée, madame, monsieur,
    équipe, encore, gentillesse, tout le monde, assistant, message, trouve, bête, stupide
  `,
  verb: `
    réponds, répondez, répondre, écris, écrivez, écrire, formate, formatez, formater, présente,
    présentez, présenter, donne, donnez, donner, rédige, rédigez, rédiger, fais, faites, faire,
    garde, gardez, utilise, utilisez, utiliser, utilisant, liste, listez, énumère, énumérez, mets,
    mettez, mettre, limite, limitez, évite, évitez, cite, citez, citer, citant, indique, indiquez,
    indiquer, sois, soyez, reste, restez, structure, structurez, organise, organisez, affiche,
    affichez, fournis, fournissez, fournir, ajoute, ajoutez, inclus, incluez, base, basez, appuie,
    appuyez, réfère, référez, consulte, consultez, cherche, cherchez, regarde, regardez, vérifie,
    vérifiez, réfléchis, réfléchissez, pense, pensez, invente, inventez, inventer, devine, dis le,
    dites le, parle, parlez, tiens, tenez, résume, traduis, sers, servez
  `,
  answer: `
    réponse, réponses, la réponse, ta réponse, votre réponse, explication, explications, résultat,
    résultats, sortie, affirmation, affirmations, question, questions, question suivante
  `,
  adverb: `
    brièvement, succinctement, en bref, en résumé, en détail, en détails, dans le détail,
    en quelques mots, en peu de mots, en termes simples, avec des mots simples, en langage simple,
    simplement, étape par étape, pas à pas, point par point, sous forme de liste,
    sous forme de liste à puces, sous la forme d une liste, sous la forme d une liste à puces,
    sous forme de tableau, sous la forme d un tableau, sous forme de puces, sous forme de points,
    en liste, en tableau, sous forme d une liste, sous forme d un tableau,
    comme si j avais cinq ans, comme si j avais 5 ans, comme à un enfant,
    comme à un enfant de cinq ans, comme à un enfant de 5 ans, de façon concise,
    de manière concise, de façon simple, de manière simple, de façon détaillée,
    de manière détaillée, de manière brève, de façon brève, avec des exemples, avec un exemple,
    avec les sources, en citant les sources, en citant vos sources, en citant tes sources,
    le plus brièvement possible, le plus simplement possible, sans jargon, textuellement
  `,
  manner: `
    bref, brève, brefs, brèves, concis, concise, succinct, succincte, détaillé, détaillée,
    détaillées, puce, puces, liste à puces, liste numérotée, à puces, forme de liste,
    forme de tableau, étape par étape, termes simples, mots simples, jargon, invente rien,
    inventez rien, ne sais pas, ne savez pas, ne le sais pas, ne le savez pas, pas sûr, hallucine,
    hallucinez, honnête, connaissances générales, connaissances extérieures, vulgarise, vulgarisez,
    oui ou non, ton formel, ton amical, ton professionnel, poli, polie, poliment, numéros de page,
    numéro de page
  `,
  form: `
    liste, listes, tableau, tableaux, format, forme, titre, titres, gras, italique, français,
    anglais, allemand, espagnol, italien, portugais, arabe, chinois, russe, japonais, langue,
    langage, style, ton, simple, simples, clair, claire, clairement, précis, précise, complet,
    complète, court, courte, courts, courtes, long, longue, ligne, lignes, point, points, exemple,
    exemples, source, sources, citation, citations, référence, références, passage, passages, page,
    pages, section, formel, numérotée, numéroté, structuré, structurée, maximum, minimum, débutant,
    enfant, détail, détails, faits, ordre, sûr, nom, nombre, chiffre, date
  `,
  unit: "phrase, phrases, mot, mots, paragraphe, paragraphes, caractères, lignes, puces, points",
  amount: `
    un, une, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, cinquante, cent, quelques,
    maximum, au maximum, au plus, au moins, pas plus de, moins de, plus de, environ, ou, à, seul,
    seule, une seule, un seul, courtes, courte, simples, simple, brèves
  `,
  lead: "en, sous, avec, dans, comme, par, sans, à l aide de, selon",
  relation: `
    d après, selon, sur la base de, sur la base des, sur la base du, en fonction des, à partir de,
    à partir des, à partir du, basé sur, en se basant sur, en te basant sur, en vous basant sur,
    en vous appuyant sur, en t appuyant sur, en s appuyant sur, en utilisant, à l aide de,
    à l aide des, à l aide du, au vu des, au regard des, conformément aux, compte tenu des,
    en vous référant, en te référant, parmi, suivant, en te basant, en vous basant, en se basant,
    en t appuyant, en vous appuyant
  `,
  source: `
    document, documents, fichier, fichiers, base de connaissances, pièce jointe, pièces jointes,
    contexte, source, sources, pdf, pdfs, espace de travail, extraits
  `,
  matter: `
    texte, textes, contenu, contenus, données, informations, documentation, pages, passages,
    articles, article, matériel, base de données
  `,
  given: `
    téléchargé*, téléversé*, importé*, fourni, fournis, fournie, fournies, joint, joints, jointe,
    jointes, ci joint, ci joints, ci dessus, ci dessous, donné, donnés, partagé*, disponible,
    disponibles, suivant, suivants, déposé*, chargé*, mis à disposition, que j ai téléchargés,
    que j ai fournis, que j ai importés, transmis, mis en ligne, à ta disposition,
    à votre disposition
  `,
  purpose: `
    prépare, préparons, préparer, préparant, écris, écrivons, écrire, écrivant, rédige, rédiger,
    travaille, travaillons, travaille sur, étudie, étudier, recherche, recherches, cherche,
    fais des recherches, besoin, besoin d aide, besoin d un peu d aide, aide, un coup de main,
    apprécierais, aimerais, nouveau, nouvelle, intéresse, apprends, débute, essaie, essaye, dois,
    aurais
  `,
  setting: `
    exposé, présentation, discours, conférence, intervention, courte, court, petite, petit, brève,
    essai, article, rapport, mémoire, thèse, dissertation, devoir, devoirs, projet, examen, cours,
    atelier, formation, séance, réunion, entretien, collègue, collègues, équipe, patron, client,
    clients, amis, famille, enfants, étudiant, étudiante, élève, élèves, professeur, enseignant,
    enseignante, chercheur, journaliste, employé, employée, stagiaire, débutant, débutante, nouvel,
    école, université, travail, bureau, entreprise, service, sujet, semaine, prochaine, demain,
    aujourd hui, mois, actuellement, en ce moment, lundi, mardi, mercredi, jeudi, vendredi, blog
  `,
  placeholder: "quelqu un, quelque chose, quoi d autre, qui d autre, n importe qui",
  asking: `
    quoi, quel, quelle, quels, quelles, combien, comment, pourquoi, lequel, laquelle,
    qu est ce que, qu est ce qui
  `,
  mention: "mot, mots, dire, de, dit, terme, signifie, le",
};
