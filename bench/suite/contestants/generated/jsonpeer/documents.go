package jsonpeer

// These types are for the documents in Go's source tree. They have a field for each name that occurs, and a pointer
// where a value may be null or missing.

// TwitterDocument is the type of the document twitter_status.
//
//easyjson:json
type TwitterDocument struct {
	Statuses       []twitterStatus       `json:"statuses"`
	SearchMetadata twitterSearchMetadata `json:"search_metadata"`
}

type twitterStatus struct {
	Metadata             twitterMetadata         `json:"metadata"`
	CreatedAt            string                  `json:"created_at"`
	ID                   int64                   `json:"id"`
	IDStr                string                  `json:"id_str"`
	Text                 string                  `json:"text"`
	Source               string                  `json:"source"`
	Truncated            bool                    `json:"truncated"`
	InReplyToStatusID    *int64                  `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string                 `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64                  `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string                 `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string                 `json:"in_reply_to_screen_name"`
	User                 twitterUser             `json:"user"`
	Geo                  any                     `json:"geo"`
	Coordinates          any                     `json:"coordinates"`
	Place                any                     `json:"place"`
	Contributors         any                     `json:"contributors"`
	RetweetCount         int64                   `json:"retweet_count"`
	FavoriteCount        int64                   `json:"favorite_count"`
	Entities             twitterEntities2        `json:"entities"`
	Favorited            bool                    `json:"favorited"`
	Retweeted            bool                    `json:"retweeted"`
	Lang                 string                  `json:"lang"`
	RetweetedStatus      *twitterRetweetedStatus `json:"retweeted_status,omitempty"`
	PossiblySensitive    *bool                   `json:"possibly_sensitive,omitempty"`
}

type twitterMetadata struct {
	ResultType      string `json:"result_type"`
	IsoLanguageCode string `json:"iso_language_code"`
}

type twitterUser struct {
	ID                             int64           `json:"id"`
	IDStr                          string          `json:"id_str"`
	Name                           string          `json:"name"`
	ScreenName                     string          `json:"screen_name"`
	Location                       string          `json:"location"`
	Description                    string          `json:"description"`
	URL                            *string         `json:"url"`
	Entities                       twitterEntities `json:"entities"`
	Protected                      bool            `json:"protected"`
	FollowersCount                 int64           `json:"followers_count"`
	FriendsCount                   int64           `json:"friends_count"`
	ListedCount                    int64           `json:"listed_count"`
	CreatedAt                      string          `json:"created_at"`
	FavouritesCount                int64           `json:"favourites_count"`
	UtcOffset                      *int64          `json:"utc_offset"`
	TimeZone                       *string         `json:"time_zone"`
	GeoEnabled                     bool            `json:"geo_enabled"`
	Verified                       bool            `json:"verified"`
	StatusesCount                  int64           `json:"statuses_count"`
	Lang                           string          `json:"lang"`
	ContributorsEnabled            bool            `json:"contributors_enabled"`
	IsTranslator                   bool            `json:"is_translator"`
	IsTranslationEnabled           bool            `json:"is_translation_enabled"`
	ProfileBackgroundColor         string          `json:"profile_background_color"`
	ProfileBackgroundImageURL      string          `json:"profile_background_image_url"`
	ProfileBackgroundImageURLHttps string          `json:"profile_background_image_url_https"`
	ProfileBackgroundTile          bool            `json:"profile_background_tile"`
	ProfileImageURL                string          `json:"profile_image_url"`
	ProfileImageURLHttps           string          `json:"profile_image_url_https"`
	ProfileBannerURL               *string         `json:"profile_banner_url,omitempty"`
	ProfileLinkColor               string          `json:"profile_link_color"`
	ProfileSidebarBorderColor      string          `json:"profile_sidebar_border_color"`
	ProfileSidebarFillColor        string          `json:"profile_sidebar_fill_color"`
	ProfileTextColor               string          `json:"profile_text_color"`
	ProfileUseBackgroundImage      bool            `json:"profile_use_background_image"`
	DefaultProfile                 bool            `json:"default_profile"`
	DefaultProfileImage            bool            `json:"default_profile_image"`
	Following                      bool            `json:"following"`
	FollowRequestSent              bool            `json:"follow_request_sent"`
	Notifications                  bool            `json:"notifications"`
}

type twitterEntities struct {
	Description twitterDescription  `json:"description"`
	URL         *twitterDescription `json:"url,omitempty"`
}

type twitterDescription struct {
	Urls []twitterUrl `json:"urls"`
}

type twitterUrl struct {
	URL         string  `json:"url"`
	ExpandedURL string  `json:"expanded_url"`
	DisplayURL  string  `json:"display_url"`
	Indices     []int64 `json:"indices"`
}

type twitterEntities2 struct {
	Hashtags     []twitterHashtag     `json:"hashtags"`
	Symbols      []any                `json:"symbols"`
	Urls         []twitterUrl         `json:"urls"`
	UserMentions []twitterUserMention `json:"user_mentions"`
	Media        []twitterMediaItem   `json:"media,omitempty"`
}

type twitterHashtag struct {
	Text    string  `json:"text"`
	Indices []int64 `json:"indices"`
}

type twitterUserMention struct {
	ScreenName string  `json:"screen_name"`
	Name       string  `json:"name"`
	ID         int64   `json:"id"`
	IDStr      string  `json:"id_str"`
	Indices    []int64 `json:"indices"`
}

type twitterMediaItem struct {
	ID                int64        `json:"id"`
	IDStr             string       `json:"id_str"`
	Indices           []int64      `json:"indices"`
	MediaURL          string       `json:"media_url"`
	MediaURLHttps     string       `json:"media_url_https"`
	URL               string       `json:"url"`
	DisplayURL        string       `json:"display_url"`
	ExpandedURL       string       `json:"expanded_url"`
	Type              string       `json:"type"`
	Sizes             twitterSizes `json:"sizes"`
	SourceStatusID    *int64       `json:"source_status_id,omitempty"`
	SourceStatusIDStr *string      `json:"source_status_id_str,omitempty"`
}

type twitterSizes struct {
	Medium twitterMedium `json:"medium"`
	Small  twitterMedium `json:"small"`
	Thumb  twitterMedium `json:"thumb"`
	Large  twitterMedium `json:"large"`
}

type twitterMedium struct {
	W      int64  `json:"w"`
	H      int64  `json:"h"`
	Resize string `json:"resize"`
}

type twitterRetweetedStatus struct {
	Metadata             twitterMetadata  `json:"metadata"`
	CreatedAt            string           `json:"created_at"`
	ID                   int64            `json:"id"`
	IDStr                string           `json:"id_str"`
	Text                 string           `json:"text"`
	Source               string           `json:"source"`
	Truncated            bool             `json:"truncated"`
	InReplyToStatusID    *int64           `json:"in_reply_to_status_id"`
	InReplyToStatusIDStr *string          `json:"in_reply_to_status_id_str"`
	InReplyToUserID      *int64           `json:"in_reply_to_user_id"`
	InReplyToUserIDStr   *string          `json:"in_reply_to_user_id_str"`
	InReplyToScreenName  *string          `json:"in_reply_to_screen_name"`
	User                 twitterUser      `json:"user"`
	Geo                  any              `json:"geo"`
	Coordinates          any              `json:"coordinates"`
	Place                any              `json:"place"`
	Contributors         any              `json:"contributors"`
	RetweetCount         int64            `json:"retweet_count"`
	FavoriteCount        int64            `json:"favorite_count"`
	Entities             twitterEntities2 `json:"entities"`
	Favorited            bool             `json:"favorited"`
	Retweeted            bool             `json:"retweeted"`
	PossiblySensitive    *bool            `json:"possibly_sensitive,omitempty"`
	Lang                 string           `json:"lang"`
}

type twitterSearchMetadata struct {
	CompletedIn float64 `json:"completed_in"`
	MaxID       int64   `json:"max_id"`
	MaxIDStr    string  `json:"max_id_str"`
	NextResults string  `json:"next_results"`
	Query       string  `json:"query"`
	RefreshURL  string  `json:"refresh_url"`
	Count       int64   `json:"count"`
	SinceID     int64   `json:"since_id"`
	SinceIDStr  string  `json:"since_id_str"`
}

// CitmDocument is the type of the document citm_catalog.
//
//easyjson:json
type CitmDocument struct {
	AreaNames                map[string]string    `json:"areaNames"`
	AudienceSubCategoryNames map[string]string    `json:"audienceSubCategoryNames"`
	BlockNames               citmBlockNames       `json:"blockNames"`
	Events                   map[string]citmEvent `json:"events"`
	Performances             []citmPerformance    `json:"performances"`
	SeatCategoryNames        map[string]string    `json:"seatCategoryNames"`
	SubTopicNames            map[string]string    `json:"subTopicNames"`
	SubjectNames             citmBlockNames       `json:"subjectNames"`
	TopicNames               map[string]string    `json:"topicNames"`
	TopicSubTopics           map[string][]int64   `json:"topicSubTopics"`
	VenueNames               citmVenueNames       `json:"venueNames"`
}

type citmBlockNames struct {
}

type citmEvent struct {
	Description any     `json:"description"`
	ID          int64   `json:"id"`
	Logo        *string `json:"logo"`
	Name        string  `json:"name"`
	SubTopicIds []int64 `json:"subTopicIds"`
	SubjectCode any     `json:"subjectCode"`
	Subtitle    any     `json:"subtitle"`
	TopicIds    []int64 `json:"topicIds"`
}

type citmPerformance struct {
	EventId        int64               `json:"eventId"`
	ID             int64               `json:"id"`
	Logo           *string             `json:"logo"`
	Name           any                 `json:"name"`
	Prices         []citmPrice         `json:"prices"`
	SeatCategories []citmSeatCategorie `json:"seatCategories"`
	SeatMapImage   any                 `json:"seatMapImage"`
	Start          int64               `json:"start"`
	VenueCode      string              `json:"venueCode"`
}

type citmPrice struct {
	Amount                int64 `json:"amount"`
	AudienceSubCategoryId int64 `json:"audienceSubCategoryId"`
	SeatCategoryId        int64 `json:"seatCategoryId"`
}

type citmSeatCategorie struct {
	Areas          []citmArea `json:"areas"`
	SeatCategoryId int64      `json:"seatCategoryId"`
}

type citmArea struct {
	AreaId   int64 `json:"areaId"`
	BlockIds []any `json:"blockIds"`
}

type citmVenueNames struct {
	PLEYELPLEYEL string `json:"PLEYEL_PLEYEL"`
}

// CanadaDocument is the type of the document canada_geometry.
//
//easyjson:json
type CanadaDocument struct {
	Type     string          `json:"type"`
	Features []canadaFeature `json:"features"`
}

type canadaFeature struct {
	Type       string            `json:"type"`
	Properties map[string]string `json:"properties"`
	Geometry   canadaGeometry    `json:"geometry"`
}

type canadaGeometry struct {
	Type        string         `json:"type"`
	Coordinates [][][2]float64 `json:"coordinates"`
}

// SourceDocument is the type of the document golang_source.
//
//easyjson:json
type SourceDocument struct {
	Tree     *sourceNode `json:"tree"`
	Username string      `json:"username"`
}

type sourceNode struct {
	Name     string        `json:"name"`
	Kids     []*sourceNode `json:"kids"`
	CLWeight float64       `json:"cl_weight"`
	Touches  int64         `json:"touches"`
	MinT     int64         `json:"min_t"`
	MaxT     int64         `json:"max_t"`
	MeanT    int64         `json:"mean_t"`
}

// PlaceDocument is a GeoJSON document in which most properties are null.
//
//easyjson:json
type PlaceDocument struct {
	Type     string         `json:"type"`
	Features []PlaceFeature `json:"features"`
}

type PlaceFeature struct {
	Type       string          `json:"type"`
	ID         int64           `json:"id"`
	Properties placeProperties `json:"properties"`
	Geometry   placeGeometry   `json:"geometry"`
}

type placeProperties struct {
	Name       string   `json:"name"`
	Elevation  *float64 `json:"elevation"`
	Population *int64   `json:"population"`
	Wikidata   *string  `json:"wikidata"`
	Website    *string  `json:"website"`
	Phone      *string  `json:"phone"`
	Opened     *string  `json:"opened"`
	Closed     *string  `json:"closed"`
	Wheelchair *bool    `json:"wheelchair"`
	Capacity   *int32   `json:"capacity"`
	Operator   *string  `json:"operator"`
	Tags       []string `json:"tags"`
}

type placeGeometry struct {
	Type        string     `json:"type"`
	Coordinates [2]float64 `json:"coordinates"`
}
