package web

import "net/url"

// FormValue returns the first value of a form field, or "". It finds the field in the body, or in the
// query if the body is not a form.
func (c *Context) FormValue(name string) string {
	_, _ = c.FormValues() // without a form in the body, the fields are the query's parameters
	return first(c.request.Form[name])
}

// FormValueOr returns the first value of a form field, or defaultValue if the
// field is missing or empty.
func (c *Context) FormValueOr(name, defaultValue string) string {
	if v := c.FormValue(name); v != "" {
		return v
	}
	return defaultValue
}

// FormValues returns the form fields of the body, followed by the parameters of
// the query. The body is parsed once for a request.
func (c *Context) FormValues() (url.Values, error) {
	if isMultipart(c.live().request.Header) {
		if _, err := c.MultipartForm(); err != nil {
			return nil, err
		}
		return c.request.Form, nil
	}
	if c.request.Form == nil {
		c.limitBody(DefaultBodyLimit)
		if err := c.request.ParseForm(); err != nil {
			return nil, tooLarge(err)
		}
	}
	return c.request.Form, nil
}
