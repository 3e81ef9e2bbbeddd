import type { FormTexts } from "./en.ts";

export const tr: FormTexts = {
  "Import the pages of a space, with their attachments and who may see them.":
    "Bir alanın sayfalarını ekleri ve görüntüleme izinleriyle içe aktarır.",
  Address: "Adres",
  "The address of Confluence, or of any page in it.":
    "Confluence’ın veya içindeki herhangi bir sayfanın adresi.",
  Deployment: "Kurulum",
  Cloud: "Bulut",
  "Self-hosted": "Kendi sunucunuz",
  "Space key": "Alan anahtarı",
  "Include attachments": "Ekleri dahil et",
  "PDFs, Office files and texts.": "PDF’ler, Office dosyaları ve metinler.",
  "Include blog posts": "Blog yazılarını dahil et",
  "Maximum size of an attachment, in MB": "Bir ekin en büyük boyutu (MB)",
  "Accept any certificate": "Her sertifikayı kabul et",
  "For a self-hosted server with a self-signed certificate.":
    "Kendinden imzalı sertifikası olan, kendi barındırdığınız bir sunucu için.",
  Username: "Kullanıcı adı",
  "On Confluence Cloud, your e-mail address. Not needed with a personal access token.":
    "Confluence Cloud’da e-posta adresiniz. Kişisel erişim jetonuyla gerekmez.",
  "API token or password": "API jetonu veya parola",
  "Personal access token": "Kişisel erişim jetonu",
  "Self-hosted only; instead of a username.": "Yalnızca kendi sunucunuzda; kullanıcı adı yerine.",
  "Import the pages of spaces, with their attachments.":
    "Alanların sayfalarını ekleriyle içe aktarır.",
  "Space IDs": "Alan kimlikleri",
  "One per line. Without any, every space that the token may read.":
    "Her satıra bir tane. Boşsa jetonun okuyabildiği tüm alanlar.",
  "Access token": "Erişim jetonu",
  "RSS or Atom feed": "RSS veya Atom akışı",
  "Import the entries of a feed, and new ones as they appear.":
    "Bir akışın girdilerini ve yayımlandıkça yenilerini içe aktarır.",
  "The address of the feed, or of a page that has one.":
    "Akışın veya akışı olan bir sayfanın adresi.",
  "Import full pages": "Sayfaların tamamını içe aktar",
  "For feeds that only have summaries: imports the page each entry links to.":
    "Yalnızca özet içeren akışlar için: her girdinin bağlantı verdiği sayfayı içe aktarır.",
  "Maximum entries per import": "İçe aktarma başına en fazla girdi",
  "Only for feeds that ask for a password.": "Yalnızca parola isteyen akışlar için.",
  Password: "Parola",
  "Folder on the server": "Sunucudaki klasör",
  "Import the files of a folder that an admin has allowed.":
    "Bir yöneticinin izin verdiği klasördeki dosyaları içe aktarır.",
  Folder: "Klasör",
  "One of the allowed folders, or a folder in one of them.":
    "İzin verilen klasörlerden biri veya içindeki bir klasör.",
  "Ignored files": "Yok sayılan dosyalar",
  "One pattern per line, as in .gitignore.": ".gitignore’daki gibi her satıra bir kalıp.",
  "Largest file, in MB": "Bir dosyanın en büyük boyutu (MB)",
  "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.":
    "Gitea veya Forgejo’daki bir deponun dosyalarını, isterseniz kayıtlarını ve vikisini de içe aktarır.",
  Repository: "Depo",
  Branch: "Dal",
  "The default branch if empty.": "Boşsa varsayılan dal.",
  "Include issues": "Kayıtları (issue) dahil et",
  "Each issue and its comments become one document.":
    "Her kayıt, yorumlarıyla birlikte bir belge olur.",
  "Include the wiki": "Vikiyi dahil et",
  "Needed for private repositories. It may read repositories and issues.":
    "Özel depolar için gerekir. Depoları ve kayıtları okuyabilmelidir.",
  "Import the files of a repository, and its issues if you want.":
    "Bir deponun dosyalarını, isterseniz kayıtlarını da içe aktarır.",
  "Needed for private repositories. It may read contents, issues and metadata.":
    "Özel depolar için gerekir. İçeriği, kayıtları ve meta verileri okuyabilmelidir.",
  "Import the files of a project, and its issues and wiki if you want.":
    "Bir projenin dosyalarını, isterseniz kayıtlarını ve vikisini de içe aktarır.",
  "Needed for private projects. Scope: read_api.": "Özel projeler için gerekir. Kapsam: read_api.",
  "Mailbox (IMAP)": "Posta kutusu (IMAP)",
  "Import messages with their attachments. Everyone in the workspace can read them.":
    "İletileri ekleriyle içe aktarır. Çalışma alanındaki herkes okuyabilir.",
  Server: "Sunucu",
  Folders: "Klasörler",
  "One per line. Without any, all folders but drafts, spam and trash.":
    "Her satıra bir tane. Boşsa taslaklar, istenmeyenler ve çöp kutusu dışındaki tüm klasörler.",
  Since: "Başlangıç",
  "Only messages that arrived on this day or later.":
    "Yalnızca bu gün veya sonrasında gelen iletiler.",
  Encryption: "Şifreleme",
  "A server on this machine can do without.": "Bu makinedeki bir sunucuda gerekmeyebilir.",
  None: "Yok",
  Port: "Bağlantı noktası",
  "By default 993, or 143 without TLS from the start.":
    "Varsayılan 993; TLS baştan kullanılmıyorsa 143.",
  "Largest message, in MB": "Bir iletinin en büyük boyutu (MB)",
  "For a server with a self-signed certificate.":
    "Kendinden imzalı sertifikası olan bir sunucu için.",
  "Most providers require an app password.": "Çoğu sağlayıcı uygulama parolası ister.",
  "Import the issues of a project or a query, with their comments.":
    "Bir projenin veya sorgunun kayıtlarını yorumlarıyla içe aktarır.",
  "The address of Jira, or of any issue in it.":
    "Jira’nın veya içindeki herhangi bir kaydın adresi.",
  "Project key": "Proje anahtarı",
  "Query (JQL)": "Sorgu (JQL)",
  "Only issues that match it, in the project or, without one, in all of them.":
    "Yalnızca eşleşen kayıtlar: projede veya proje yoksa hepsinde.",
  "Include comments": "Yorumları dahil et",
  "On Jira Cloud, your e-mail address. Not needed with a personal access token.":
    "Jira Cloud’da e-posta adresiniz. Kişisel erişim jetonuyla gerekmez.",
  "Import the pages and databases that are shared with an integration.":
    "Bir entegrasyonla paylaşılan sayfaları ve veritabanlarını içe aktarır.",
  "Integration secret": "Entegrasyon gizli anahtarı",
  "Add the integration to each page or database that it may read.":
    "Entegrasyonu, okuyabileceği her sayfaya veya veritabanına ekleyin.",
  "Import the documents of a Paperless-ngx archive, with their tags.":
    "Bir Paperless-ngx arşivinin belgelerini etiketleriyle içe aktarır.",
  Content: "İçerik",
  "Files have pages that citations can show. The text is already recognised.":
    "Dosyalarda, kaynak gösterimlerinin açabileceği sayfalar vardır. Metin zaten tanınmıştır.",
  "Text that Paperless recognised": "Paperless’ın tanıdığı metin",
  "Archived file": "Arşivlenmiş dosya",
  "Original file": "Özgün dosya",
  "Maximum size of a file, in MB": "Bir dosyanın en büyük boyutu (MB)",
  "API token": "API jetonu",
  "From My Profile in Paperless-ngx.": "Paperless-ngx’teki “Profilim” bölümünden.",
  "S3 bucket": "S3 bucket’ı",
  "Import the files of a bucket on Amazon S3, MinIO, R2 or a compatible server.":
    "Amazon S3, MinIO, R2 veya uyumlu bir sunucudaki bucket’ın dosyalarını içe aktarır.",
  Endpoint: "Uç nokta",
  "The server's address. Amazon S3 if empty.": "Sunucunun adresi. Boşsa Amazon S3.",
  Region: "Bölge",
  "us-east-1 if empty, which most compatible servers accept.":
    "Boşsa us-east-1; uyumlu sunucuların çoğu bunu kabul eder.",
  Bucket: "Bucket",
  Prefix: "Ön ek",
  "Only files whose keys begin with it. Everything if empty.":
    "Yalnızca anahtarı bununla başlayan dosyalar. Boşsa hepsi.",
  "Bucket in the path": "Yolda bucket",
  "Turn it off for servers that expect the bucket in the host name.":
    "Bucket’ı ana makine adında bekleyen sunucular için kapatın.",
  "Access key ID": "Erişim anahtarı kimliği",
  "May list the bucket and read its files. None for public buckets.":
    "Bucket’ı listeleyip dosyalarını okuyabilmelidir. Herkese açık bucket’larda gerekmez.",
  "Secret access key": "Gizli erişim anahtarı",
  "Nextcloud or WebDAV": "Nextcloud veya WebDAV",
  "Import the files of a folder on Nextcloud, ownCloud or any WebDAV server.":
    "Nextcloud, ownCloud veya herhangi bir WebDAV sunucusundaki bir klasörün dosyalarını içe aktarır.",
  "Of Nextcloud, of a folder as the browser shows it, or of a WebDAV folder.":
    "Nextcloud’un, tarayıcıda göründüğü haliyle bir klasörün veya bir WebDAV klasörünün adresi.",
  "Everything if empty.": "Boşsa her şey.",
  "App password": "Uygulama parolası",
  "On Nextcloud, from Settings > Security. Elsewhere, the password.":
    "Nextcloud’da Ayarlar > Güvenlik bölümünden. Diğerlerinde normal parola.",
  Website: "Web sitesi",
  "Import the pages of a site, following its links and sitemap.":
    "Bir sitenin sayfalarını, bağlantılarını ve site haritasını izleyerek içe aktarır.",
  "Start page": "Başlangıç sayfası",
  "Link depth": "Bağlantı derinliği",
  "How many links away from the start page Carrel follows.":
    "Carrel’in başlangıç sayfasından kaç bağlantı uzağa gideceği.",
  "Maximum pages": "En fazla sayfa",
  "Part of the site": "Sitenin bölümü",
  "Only the start page's folder": "Yalnızca başlangıç sayfasının klasörü",
  "The whole site": "Sitenin tamamı",
  "Include linked files": "Bağlantılı dosyaları dahil et",
  "PDFs and Office files that pages link to.":
    "Sayfaların bağlantı verdiği PDF’ler ve Office dosyaları.",
  "Run scripts": "Betikleri çalıştır",
  "For pages that stay empty without JavaScript. Takes seconds per page, and needs a browser that the administrator set up on the server.":
    "JavaScript olmadan boş kalan sayfalar için. Sayfa başına saniyeler sürer ve yöneticinin sunucuda kurduğu bir tarayıcı gerektirir.",
  "Excluded paths": "Hariç tutulan yollar",
  "One per line, such as /blog/archive.": "Her satıra bir tane, örneğin /blog/archive.",
  "Use the sitemap": "Site haritasını kullan",
  "Import the transcripts of a video, a playlist or a channel.":
    "Bir videonun, oynatma listesinin veya kanalın dökümlerini içe aktarır.",
  "Video, playlist or channel": "Video, oynatma listesi veya kanal",
  "Transcript language": "Dökümün dili",
  "A code such as en. By default, the language that is spoken.":
    "en gibi bir kod. Varsayılan olarak konuşulan dil.",
  "Maximum videos": "En fazla video",
  "The newest ones of a channel, and the first ones of a playlist.":
    "Bir kanalın en yenileri ve bir oynatma listesinin ilkleri.",
};
