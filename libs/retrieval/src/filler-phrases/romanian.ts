import type { FillerPhrases } from "../filler-roles.ts";

export const romanianFillers: FillerPhrases = {
  glue: `
    un, o, unei, unui, unor, al, a, ai, ale, de, din, și, sau, dar, deci, atunci, de asemenea,
    foarte, bine, mai, puțin, că, care, este, e, sunt, fi, fie, era, ar, aș, am, ați, are, au, tu,
    te, tine, tău, ta, tale, dumneavoastră, dvs, lui, ei, lor, se, îl, le, nu, nici, nimic,
    niciodată, dacă, pentru, pentru că, la, în, pe, prin, cu, fără, despre, între, doar, numai,
    exclusiv, simplu, poate, poți, puteți, posibil, vreau, vrea, doresc, tot, toate, toți, fiecare,
    aici, acum, da, ok, bun, acest, această, aceste, acestea, acesta, acel, cel, cea, cele, câteva,
    ceva, asta, să, altfel, trebuie, atât, ca, prinde, s, l, ul
  `,
  self: `
    eu, mă, m, mi, îmi, mie, meu, mea, mei, mele, sunt, am, noi, ne, ni, nouă, nostru, noastră,
    noștri, noastre, suntem, ca, în calitate de, lucrez, scriu, pregătesc, învăț, studiez
  `,
  modal: `
    poți, puteți, ai putea, ați putea, îmi poți, îmi puteți, mi ai putea, mi ați putea, pot,
    aș putea, putem, se poate, este posibil, ar fi posibil, e posibil, ai fi amabil, ați fi amabil,
    cineva poate, ar putea cineva, poate cineva, îmi poate cineva, vrei, vreți
  `,
  please: `
    te rog, vă rog, te rog frumos, vă rog frumos, rog, dacă se poate, dacă este posibil,
    dacă e posibil, dacă ai timp, dacă aveți timp, apropo
  `,
  ask: `
    spune mi, spuneți mi, spune ne, să mi spui, să mi spuneți, să îmi spui, să îmi spuneți,
    îmi spui, îmi spuneți, spune, explică, explică mi, explicați, explicați mi, să mi explici,
    să mi explicați, să îmi explici, explica, să explici, arată mi, arătați mi, să mi arăți,
    amintește mi, dă mi, dați mi, să mi dai, ajută mă, ajutați mă, să mă ajuți, să mă ajutați,
    ajuta, descrie, descrieți, să descrii, clarifică, lămurește mă, informează mă, anunță mă, știi,
    știți, știe cineva, știi cumva, mă întreb, mă întrebam, aș vrea să știu, aș dori să știu,
    vreau să știu, doresc să știu, voiam să știu, aș vrea să aflu, aș dori să aflu, vreau să aflu,
    aș vrea să întreb, voiam să întreb, sunt curios, sunt curioasă, sunt curios să aflu,
    am o întrebare, aș avea o întrebare, o întrebare, o întrebare rapidă, întrebare rapidă,
    întrebarea mea este, întrebarea mea e, întrebarea mea, întrebarea este
  `,
  learn: `
    știu, afla, aflu, să aflu, întreb, înțeleg, înțelege, găsesc, găsi, învăț, spune, să înțeleg,
    a afla
  `,
  after: "dacă, că, mi, ne, mai multe, despre, te rog, vă rog",
  greeting: `
    bună, bună ziua, bună dimineața, bună seara, salut, salutare, salutări tuturor, hei,
    bună tuturor, servus, stimate, stimată, stimați, dragă, dragi, ce mai faci, ce mai faceți,
    ce faci, sper, scuze, scuzați, scuză mă, scuzați mă, îmi pare rău, mă scuzi, pardon, întrebare
  `,
  closing: `
    mulțumesc, mulțumesc mult, mulțumesc frumos, mulțumesc anticipat, mulțumim, mersi, mersi mult,
    mii de mulțumiri, îți mulțumesc, vă mulțumesc, recunoscător, recunoscătoare, apreciez,
    aș aprecia, cu stimă, cu respect, cu drag, toate cele bune, salutări, salutări cordiale,
    la revedere, o zi bună, o zi frumoasă, pe curând, numai bine
  `,
  courtesy: `
    anticipat, deranj, deranjez, deranjul, deranja, timp, timpul, timpul acordat, acordat, ajutor,
    ajutorul, răbdare, atenție, amabilitate, mult, frumos, zi, ziua, tuturor, echipă, iar, din nou,
    din suflet, asistent, mesaj, răspuns, prostească
  `,
  verb: `
    răspunde, răspundeți, răspunzi, scrie, scrieți, formatează, formatați, formata, dă, dați,
    prezintă, prezentați, arată, afișează, oferă, oferiți, fă, faceți, păstrează, folosește,
    folosiți, folosind, utilizează, utilizați, utilizând, listează, enumeră, pune, limitează,
    limitează te, evită, evitați, citează, citați, citând, menționează, indică, indicând, include,
    fii, fiți, structurează, organizează, redactează, adaugă, bazează te, consultă, caută, căutați,
    uită, verifică, inventa, inventați, ghici, ghicești, gândește, vorbește, tradu, rezumă
  `,
  answer: `
    răspuns, răspunsul, răspunsului, răspunsuri, răspunsul tău, explicație, explicația, explicații,
    rezultat, rezultatul, afirmație, afirmațiile
  `,
  adverb: `
    pe scurt, scurt, succint, concis, în câteva cuvinte, în puține cuvinte, în detaliu, detaliat,
    pas cu pas, punct cu punct, punctual, în termeni simpli, cu cuvinte simple, în cuvinte simple,
    în limbaj simplu, pe înțelesul tuturor, simplu, clar, sub formă de listă, sub forma unei liste,
    sub formă de tabel, sub forma unui tabel, ca listă, ca o listă, ca tabel, ca un tabel,
    într o listă, într un tabel, cu liniuțe, cu buline, cu marcatori, sub formă de puncte,
    cu exemple, cu un exemplu, cu surse, ca și cum aș avea cinci ani, ca pentru un copil,
    cuvânt cu cuvânt, cât mai scurt
  `,
  manner: `
    scurtă, scurte, concisă, succintă, detaliată, detaliate, marcatori, buline, liniuțe,
    listă numerotată, listă cu marcatori, listă cu buline, cuvinte simple, termeni simpli, pas,
    jargon, inventa nimic, nu inventa, nu știi, nu știți, nu ești sigur, sincer,
    cunoștințe generale, da sau nu, ton formal, ton prietenos, politicos, numărul paginii,
    numerele paginilor
  `,
  form: `
    listă, liste, lista, tabel, tabele, tabelul, format, formă, formatul, titluri, titlu,
    subtitluri, aldine, cursive, română, românește, engleză, germană, franceză, spaniolă, italiană,
    maghiară, rusă, arabă, chineză, limba, limbă, limbaj, stil, ton, simple, simplă, clară, precis,
    precisă, complet, completă, lung, lungă, rând, rânduri, punct, puncte, exemplu, exemple, sursă,
    surse, sursele, citat, citate, referințe, pasaj, pasajul, pagină, pagini, formal, numerotată,
    structurat, structurată, maxim, maximum, începător, copil, detalii, fapte, ordine, sigur
  `,
  unit: `
    propoziție, propoziții, frază, fraze, cuvânt, cuvinte, paragraf, paragrafe, caractere, rânduri,
    puncte
  `,
  amount: `
    un, o, una, unu, două, doi, trei, patru, cinci, șase, șapte, opt, nouă, zece, cincizeci, sută,
    câteva, puține, maxim, maximum, cel mult, cel puțin, nu mai mult de, mai puțin de, mai mult de,
    aproximativ, circa, sau, la, singură, singur, scurte, simple, de
  `,
  lead: "în, ca, cu, într, într un, într o, folosind, fără, sub",
  relation: `
    pe baza, în baza, bazat pe, bazându te pe, bazându vă pe, conform, potrivit,
    în conformitate cu, pornind de la, ținând cont de, având în vedere, folosind, utilizând, din,
    după, cu ajutorul, pe temeiul
  `,
  source: `
    document, documente, documentele, documentelor, documentul, documentului, fișier, fișiere,
    fișierele, fișierelor, fișierul, fișierului, bază de cunoștințe, baza de cunoștințe, atașament,
    atașamente, atașamentele, anexă, anexe, context, contextul, contextului, surse, sursele,
    surselor, pdf, spațiul de lucru
  `,
  matter: `
    text, textul, textului, texte, textele, conținut, conținutul, conținutului, material,
    materiale, materialele, materialelor, date, datele, datelor, informații, informațiile,
    informațiilor, documentație, documentația, documentației, pagini, articol, articolul,
    baza de date
  `,
  given: `
    încărcat*, furnizat*, atașat*, oferit*, dat, date, partajat*, disponibil*, de mai sus,
    de mai jos, următor*, urcat*, pe care le am încărcat, le am încărcat, puse la dispoziție,
    anexate
  `,
  purpose: `
    pregătesc, pregătim, scriu, lucrez, lucrez la, studiez, învăț, cercetez, caut, fac, redactez,
    organizez, citesc, ajutor, puțin ajutor, de puțin ajutor, un pic de ajutor, nevoie, am nevoie,
    încerc, interesat, interesată, nou, nouă, aprecia
  `,
  setting: `
    prezentare, prezentări, discurs, prelegere, scurtă, scurt, mică, mic, eseu, articol, raport,
    lucrare, teză, referat, temă, teme, proiect, examen, test, curs, lecție, seminar, atelier,
    instruire, ședință, întâlnire, interviu, coleg, colegi, colegii, colegilor, colegă, echipă,
    echipa, șef, client, clienți, prieteni, familie, copii, student, studentă, elev, elevi,
    profesor, profesoară, cercetător, jurnalist, angajat, angajată, stagiar, începător, școală,
    universitate, facultate, muncă, serviciu, birou, firmă, companie, departament, subiect,
    săptămână, săptămâna, viitoare, mâine, astăzi, azi, lună, acum, moment, luni, marți, miercuri,
    joi, vineri, blog
  `,
  placeholder: "cineva, undeva, oricine, cine altcineva, ce altceva, altceva, altcineva",
  asking: "cine, cui, ce, care este, care sunt, când, unde, de ce, cum, cât, câți, câte, câtă",
  mention: "cuvântul, cuvânt, înseamnă, spune, termenul, de",
};
