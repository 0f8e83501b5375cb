package secret

// nearVendors are services whose tokens are known beside their name only, by the form of the value. Of several names of one
// service, apart by commas, the first names the rule.
var nearVendors = []nearRow{
	{"{A13}", "debounce luno"},
	{"{A14}", "checkvist ipinfo linkedin,linked_in,linked-in"},
	{"{A15}", "dropbox eagleeyenetworks"},
	{"{A16}", `alphavantage amadeus autodesk braintree coinlib confluent,kafka,ccloud formcraft
		linkedin,linked_in,linked-in maxmind shutterstock vonage,nexmo`},
	{"{A17}", "airtable"},
	{"{A18-20}", "runrunit"},
	{"{A20-24}", "cloudsight codacy"},
	{"{A20}", `artsy browserstack,bs_authkey codacy companyhub easyinsight eraser eventbrite finicity finnhub
		freshdesk invoiceocean lob looker noticeable pinata plex plivo pusher smartystreets statuscake
		tefter timezoneapi uploadcare`},
	{"{A21}", "carboninterface"},
	{"{A22}", "apollo bugherd splunk travis"},
	{"{A22}tt", "bannerbear storyblok"},
	{"{A24-27}", "cexio"},
	{"{A24}", `atlassian betterstack clickhelp clockwork enablex etsy exchangerate flightapi happyscribe kucoin
		looker metaapi oanda okx onepagecrm plaid replyio satismeter sendbird vercel zotero`},
	{"{A25-26}", "skybiometry"},
	{"{A25}", "messagebird,message_bird,message-bird twitter visualcrossing"},
	{"{A26}", "mattermost sirv timecamp wasabi"},
	{"{A27}", "glassnode miro"},
	{"{A28}", "browshot geocode pollsapi tradier"},
	{"{A30-40}", "asana"},
	{"{A30}", "alibaba,aliyun centralstation nylas plaid pushover readwise scrapeowl textmagic twitch"},
	{"{A31}", "worldweather"},
	{"{A32}", `accuweather adguard adobe adzuna agora alconost aletheiaapi algolia alphavantage amadeus amplitude
		anypoint api2cart apiflash apilayer apimetrics apollo artsy asana assemblyai atera autodesk
		autopilot aviationstack axonaut aylien azure,ado_pat billomat bitbar bitbucket bittrex box braintree
		brightdata bulbul calendarific censys chartmogul checklyhq clarifai clinchpad cloudelements codecov
		coinlayer countrylayer currencyfreaks currencylayer currencyscoop dandelion
		datadog,dd_api,dd-api,dd_app,dd-app,dd_secret delighted demio deputy detectify detectlanguage
		diffbot dnscheck droneci edamam exchangerates facebook feedier finage financialmodelingprep finicity
		fixer flickr flightstats formsite geoapify getresponse ghost giphy gitee goodday gtmetrix hibp
		huawei infura ip2location ipapi ipgeolocation ipquality ipstack iterable jellyfin jenkins jotform
		knapsackpro languagelayer lark lastfm lemlist linear linkpreview liveagent loyverse madkudu
		mailboxlayer mailerlite mailjet mapquest maptiler marketstack meaningcloud mediastack mistral
		moonclerk newsapi numverify nutritionix omdb onfleet opencagedata openuv
		openweather,openweathermap,pyowm,owm ovh paydirtapp pdflayer pdfshift pepipost,netcore pexels
		pingdom pipedream podio polygon postageapp privateai,private_ai,private-ai prowlarr radarr rawg
		raygun redhat rollbar route4me runrunit salescookie satismeter scraperapi scraperbox scrapestack
		scrapingant securitytrails segment serpstack sheety sherpadesk shodan shopify shutterstock
		signupgenius simfin sinch siteleaf sonarr speechtext spoonacular spotify stability stackpath
		statuspal steam sugester sumologic,sumo survicate taxjar telnyx testingbot
		theoddsapi,the-odds-api,the_odds_api thinkific thousandeyes ticketmaster tmdb toggl tomtom trakt
		travelpayouts twelvedata twilio tyntec typetalk upcdatabase upwave userstack vatlayer verimail
		veriphone vimeo vpnapi walkscore weatherbit weatherstack webscraping websitepulse yousign zerobounce
		zerotier zipapi zulip`},
	{"{A33}", "simvoly whoxy"},
	{"{A34}", "bscscan etherscan"},
	{"{A35}", "craftmypdf worldcoinindex"},
	{"{A36}", "apify bybit enablex sslmate vultr zonka"},
	{"{A37-45}", "cloudflare"},
	{"{A37}", "cloudflare smartsheets"},
	{"{A39}", "apitemplate geocod"},
	{"{A40}", `abyssale apideck assembla beebole beeminder brandfetch buddyns buildkite buttercms calorieninja
		cicero circleci cloudsmith codeberg codeclimate,cc_test_reporter cohere datadog,dd_api,dd-api,dd_app,dd-app,dd_secret
		deepgram diggernaut discogs docparser enigma etsy extractorapi forgejo geocodify getgeoapi gitea
		github helpscout heroku instamojo instana jumpcloud juro klipfolio loadmill lokalise
		meraki,cisco_meraki monkeylearn nicereply oopspam owlbot pandadoc pipedrive pocket powrbot purestake
		qase sendbird serper shotstack simplesat sonar sparkpost stockdata stormboard strava teamgate tiingo
		todoist,todoist_api wakatime wandb worksnaps zendesk zenrows`},
	{"{A42}", "skrapp"},
	{"{A43}", "bitcoinaverage cloudelements hereapi hybiscus linenotify meistertask mindmeister paralleldots"},
	{"{A44}", "geckoboard intrinio paymoapp ritekit"},
	{"{A45}", "twitter"},
	{"{A46}", "voodoosms"},
	{"{A48}", "clockify foursquare m3o neutrinoapi packagecloud restpack rownd sigopt technicalanalysisapi"},
	{"{A50}", "caspio dronahq lunchmoney rapidapi readwise signalwire twitter vyte"},
	{"{A51}", "flowflu"},
	{"{A52}", "azure,ado_pat dyspatch"},
	{"{A60-64}", "netlify"},
	{"{A60}", "clustdoc dareboost serphouse sportsmonk webscraper workstack"},
	{"{A64}", `aha alienvault allsports ambee appsynergy besnappy binance boostnote campayn captaindata
		codeclimate,cc_test_reporter codequiry coinbase confluent,kafka,ccloud cryptocompare currencycloud
		digitalocean discord disqus elasticemail ethereum,metamask freshbooks hasura hetzner holistic
		html2pdf iconfinder ipinfodb jfrog,artifactory,bintray,xray linode mavenlink mesibo metaapi moralis
		netsuite newrelic,new-relic,new_relic papertrail partnerstack peopledatalabs pihole,pi-hole pinata
		prodpad qubole ripple rockset scrutinizer semgrep sentry serpapi sheety sumologic,sumo tmetric
		typetalk veracode virustotal webex webflow wistia youneedabudget zipcodeapi`},
	{"{A73}", "jfrog,artifactory,bintray,xray"},
	{"{A76}", "jupiterone"},
	{"{A80}", "abuseipdb crowdin fulcrum scrapingbee,scraping_bee,scraping-bee teamgate"},
	{"{A84}", "azure,ado_pat ngc"},
	{"{A86}", "signaturit"},
	{"{A88}", "sirv"},
	{"{A90-92}", "airship"},
	{"{A128}", "chatfuel instamojo planviewleankit poloniex"},
	{"{A155}", "caflou"},
	{"{b16}", "vonage,nexmo"},
	{"{b18}", "getemails"},
	{"{b20-22}", "gitlab"},
	{"{b20}", "alegra getemail hiveage nasdaq"},
	{"{b22}", "convertkit ethplorer freshworks mandrill proxycrawl ringcentral travis"},
	{"{b24}", "atlassian jira youtube"},
	{"{b25}", "messagebird,message_bird,message-bird"},
	{"{b26}", "getemails"},
	{"{b27}", "cloudinary hypertrack reddit"},
	{"{b28}", "browshot fastforex"},
	{"{b29}", "userflow"},
	{"{b30}", "cloudimage"},
	{"{b32}", `adafruit airbrake alchemy apptivo audd autoklose azure,ado_pat chatbot cloudplan coinbase
		datadog,dd_api,dd-api,dd_app,dd-app,dd_secret faceplusplus fastly fmfw ipifi loyverse mixpanel
		pastebin paymongo pepipost,netcore positionstack rebrandly salescookie screenshotlayer trello uplead`},
	{"{b34}", "pixabay"},
	{"{b35}", "clearbit iexcloud stitchdata"},
	{"{b36}", `airvisual apacta appcues apptivo censys cloudmersive coinapi deepai dnscheck graphhopper holidayapi
		insightly kontent kylas metabase mixmax nethunt selectpdf smartystreets statuspage tatum urlscan
		vouchery zenserp`},
	{"{b37}", "bulksms coveralls"},
	{"{b38-42}", "cloudflare"},
	{"{b39}", "appcues blitapp blogger rocketreach youtube"},
	{"{b40}", `airbrake bitly cloudflare datadog,dd_api,dd-api,dd_app,dd-app,dd_secret extractorapi getsandbox
		gitter hunter magicbell plivo versioneye zendesk`},
	{"{b42-44}", "ibm,ibmcloud,ibm_cloud,softlayer"},
	{"{b43-45}", "netlify"},
	{"{b43}", `auth0 bitfinex codemagic exoscale gumroad gyazo kagi leadfeeder luno newscatcher
		rocket.chat,rocketchat segment storecove supernotes unsplash ynab`},
	{"{b44}", "ibm,ibmcloud,ibm_cloud,softlayer"},
	{"{b45}", "salesflare"},
	{"{b48}", "commercejs currentsapi"},
	{"{b49}", "stytch"},
	{"{b50}", "dwolla overloop rapidapi"},
	{"{b51}", "pandascore repairshopr"},
	{"{b54}", "hypertrack"},
	{"{b55}", "telnyx"},
	{"{b64}", "apimatic auth0 bitbucket codequiry coinbase cryptocompare reachmail teletype"},
	{"{b71}", "appoptics solarwinds"},
	{"{b73}", "stormglass"},
	{"{b75}", "omnisend snipcart"},
	{"{b80}", "surveybot"},
	{"{b88}", "surveysparrow"},
	{"{b128}", "dynalist"},
	{"{p20}", "fxmarket"},
	{"{p21}", "databox"},
	{"{p32}", "discord fastly nytimes"},
	{"{p34}", "pushbullet"},
	{"{p36}", "imagekit"},
	{"{p39}", "fileio"},
	{"{p40-46}", "netlify"},
	{"{p40}", "expo fetchrss gitter launchdarkly netlify tigris zendesk"},
	{"{p43}", "contentful"},
	{"{p44}", "bitbucket onepagecrm"},
	{"{p48}", "currentsapi"},
	{"{p60}", "intercom"},
	{"{p64}", "bitbucket capsulecrm hellosign qualaroo tableau"},
	{"{p68}", "getgist"},
	{"{p72}", "imagga"},
	{"{p73}", "jfrog,artifactory,bintray,xray"},
	{"{p80-90}", "kraken"},
	{"{p83}", "yandex"},
	{"{p88}", "appointedd bombbomb fullstory"},
	{"{p128}", "yelp"},
	{"{p148-152}", "borgbase"},
	{"{s38-90}", "azure-storage,accountkey,sharedaccesskey,azure_storage,storage_account_key"},
	{"{s40}", `
		aws-secret,aws_secret,aws␣secret,secret_access_key,secretaccesskey,secret-access-key,secret␣access␣key`},
	{"{s64}", "confluent,kafka,ccloud"},
	{"{s86}", "azure-cosmos,documents.azure.com,cosmos_key,cosmosdb"},
	{"{s88}", "fullstory"},
	{"{s100-1000}", "aws-session,aws_session,session_token,sessiontoken"},
	{"{d16}", "asana"},
	{"{d17-19}", "discord"},
	{"{h48}", "ibm-cos,ibm_cos,ibmcos,cos_hmac,cos-hmac,coshmac,cos_secret,secret_access_key"},
	{"{a64}", "cloudant"},
	{"{A4}-{A42}", "newrelic,new-relic,new_relic"},
	{"{A6}.{A6}:{b43}", "ably"},
	{"{A7}-{A7}-{A7}-{A7}", "duply mailmodo requestfinance screenshotapi"},
	{"{A8}-{A8}-{A8}-{A8}", "ayrshare poloniex"},
	{"{A11}-{A4}-{A4}-{A4}-{A12}", "apifonica"},
	{"{A23}_{A8}", "alchemy"},
	{"{A32}-us{d1-2}", "mailchimp"},
	{"{A36}.{A92}.{b43}", "edenai"},
	{"{b43}.{b43}", "segment"},
	{"(u|m){d5-9}-{A24}", "uptimerobot"},
	{"00{b39-40}", "okta"},
	{"DI{A18}", "duo"},
	{"YC{b38}", "yandex"},
	{"s.{A18-26}", "vault,hashicorp"},
	{"su{A12}", "sumologic,sumo"},
	{"{guid}", `anypoint appsignal bitwarden blazemeter blocknative braze bugsnag canny captaindata chocolatey
		cliengo coda collect2 consul cypress duckdns duply exa findl guardian heroku hubspot interseller
		kucoin loggly loginradius logz messagebird,message_bird,message-bird mongodb,mongo_atlas moosend
		nftport nomad npm onesignal opsgenie postmark proxmox,pveapitoken railway raindrop rownd salesmate
		sambanova saucelabs scaleway sendbird shortcut signalwire snyk splunk squarespace statuspage tiktok
		tokeet transferwise upstash vault,hashicorp wise zenscrape zipcodebase`},
	{"{guid}.{A40}", "ditto"},
	{"{d1-24}-{h40}", "avaza"},
	{"{H4}-{H4}-{H6}-{H6}-{H8}", "everhour"},
	{"{H4}-{H8}-{H4}-{H4}-{H4}-{H12}", "figma"},
	{"{a6}.{a16}", "bootstrap,kubeadm,k8s"},
	{"{d6}-{A8}-{A4}-{A4}-{A4}-{A12}", "figma"},
	{"{H8}:{H8}", "contribsys"},
	{"{d8-12}:{b35}", "telegram"},
	{"{d15-18}¦{b27-40}", "facebook"},
	{"{d15-25}-{A20-45}", "twitter"},
	{"{h24}:{h64}", "ghost"},
	{"{h32}-{h78-80}", "budibase"},
	{"{h32}-{h8}-{h8}", "mailgun"},
}
